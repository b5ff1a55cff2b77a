// @ts-check
// The form of a prediction: options, a button that shows the experiment, and then the answer.
import { append, guard, keepKeys } from "../picture/page.js";

/** @import { Model } from "../picture/view.js" */

const [ASKED, , SHOWN] = [0, 1, 2];

export default {
  /** @param {{ model: Model, el: HTMLElement }} place */
  render({ model, el }) {
    const guarded = guard(model);
    const ends = new AbortController();
    const listen = (/** @type {HTMLElement} */ target, /** @type {string} */ event, /** @type {() => void} */ act) =>
      target.addEventListener(event, guarded(act), { signal: ends.signal });
    const place = (/** @type {string} */ name) => append(el, "div", { class: name, role: "status" });
    const button = (/** @type {Element} */ parent, /** @type {string} */ word, /** @type {object} */ content) => {
      const made = append(parent, "button", { type: "button" }, word);
      listen(made, "click", () => model.send?.(content));
      return made;
    };

    el.classList.add("pmp-view", "pmp-form");
    keepKeys(el);
    append(el, "div", { class: "pmp-title" }, "Predict");
    const group = append(el, "fieldset");
    append(group, "legend", {}, model.get("text"));
    const name = `pmp-${Math.random()}`; // of the group: there may be several forms on a page
    const choices = model.get("options").map((/** @type {string} */ option, /** @type {number} */ k) => {
      const label = append(group, "label");
      const choice = append(label, "input", { type: "radio", name });
      label.append(option);
      listen(choice, "change", () => model.send?.({ choose: k }));
      return choice;
    });
    const said = place("pmp-said"); // a reader of the screen hears what changes in a place that is there
    const show = button(append(el, "div"), "show me", { show: true });
    const outcome = place("pmp-outcome");
    const surprised = append(el, "div", { class: "pmp-surprised" }, "Were you surprised?");
    for (const word of ["yes", "no"]) button(surprised, word, { react: word });
    const reaction = place("pmp-reaction");

    const write = guarded(() => {
      const shown = model.get("shown");
      /** @type {HTMLFieldSetElement} */ (group).disabled = shown.stage === SHOWN;
      choices.forEach((/** @type {HTMLInputElement} */ choice, /** @type {number} */ k) => {
        choice.checked = k === shown.chosen;
      });
      said.innerHTML = shown.said;
      outcome.innerHTML = shown.outcome;
      outcome.classList.toggle("pmp-right", shown.right);
      reaction.textContent = shown.reaction;
      show.hidden = shown.stage === ASKED;
      surprised.hidden = shown.stage !== SHOWN;
    });
    model.on("change:shown", write);
    ends.signal.addEventListener("abort", () => model.off("change:shown", write));
    write();
    return () => ends.abort();
  },
};
