// A button that asks for the code of a view, shows it and copies it.
function render({ model, el }) {
  el.classList.add("pmp-code");
  el.setAttribute("data-lm-suppress-shortcuts", "true");
  const button = document.createElement("button");
  button.type = "button";
  const said = document.createElement("output");
  const code = document.createElement("pre");
  code.tabIndex = 0;
  code.setAttribute("aria-label", "code of this view");
  el.append(button, said, code);
  let asked = false;

  function select() {
    const range = document.createRange();
    range.selectNodeContents(code);
    const selection = window.getSelection();
    selection.removeAllRanges();
    selection.addRange(range);
  }

  async function copy() {
    select();
    try {
      await navigator.clipboard.writeText(code.textContent);
      said.textContent = "copied";
    } catch {
      said.textContent = "selected: copy it with Ctrl+C"; // the page does not allow more
    }
  }

  function draw() {
    const shown = model.get("shown");
    button.textContent = shown ? "hide code" : "copy as code";
    button.setAttribute("aria-expanded", String(shown));
    code.hidden = !shown;
    code.textContent = model.get("code");
    said.textContent = "";
    if (asked && shown && code.textContent) {
      asked = false;
      copy();
    }
  }

  button.addEventListener("click", () => {
    asked = !model.get("shown");
    model.set("shown", asked);
    model.save_changes();
  });
  for (const kind of ["keydown", "keyup", "keypress"]) {
    el.addEventListener(kind, (event) => event.stopPropagation());
  }
  model.on("change:shown", draw);
  model.on("change:code", draw);
  draw();
  return () => {
    model.off("change:shown", draw);
    model.off("change:code", draw);
  };
}

export default { render };
