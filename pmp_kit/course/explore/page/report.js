// @ts-check
// Reports what a script raises: in red on the page, and to the kernel, where `guard.check` raises it.

/**
 * A `render` that reports its exceptions, and those of its handlers and promises later.
 * @param {(view: any) => (() => void)} render
 */
function reporting(render) {
  return (/** @type {any} */ view) => {
    const told = new Set(); // a picture that fails may fail at every frame

    /** @param {Event & { error?: any, reason?: any }} event */
    function hear({ error, reason }) {
      const raised = error ?? reason;
      const stack = String(raised?.stack);
      if (!stack.includes(import.meta.url) || told.has(stack)) return; // of another script, or told before
      told.add(stack);
      const text = String(raised);
      const line = document.createElement("div");
      line.setAttribute("role", "alert");
      line.style.cssText = "color: #d32f2f; font-weight: 600";
      line.textContent = `The script of this picture failed: ${text}. Run its cell again.`;
      view.el.append(line);
      view.model.send({ pmp_kit_failure: stack.startsWith(text) ? stack : `${text}\n${stack}` });
    }

    addEventListener("error", hear);
    addEventListener("unhandledrejection", hear);
    let end = () => {};
    try {
      end = render(view);
    } catch (error) {
      reportError(error); // to `hear` and to the console
    }
    return () => {
      end();
      removeEventListener("error", hear);
      removeEventListener("unhandledrejection", hear);
    };
  };
}
