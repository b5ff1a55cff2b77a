// Names for the parts that the notebook's own widgets leave without one: slider handles, fields, players, pictures.
const ICONS = { "fa-play": "play or pause", "fa-pause": "play or pause", "fa-stop": "stop", "fa-retweet": "repeat" };

function render({ model, el }) {
  function label() {
    const root = el.closest(".pmp-explorer");
    if (!root) return;
    for (const row of root.querySelectorAll(".pmp-control, .pmp-upright")) {
      const texts = [...row.querySelectorAll("label, .widget-label")].map((one) => one.textContent);
      const name = texts.map((one) => one.replaceAll("\u200b", "").trim()).find(Boolean); // a checkbox has an empty one
      const parts = row.querySelectorAll(".noUi-handle, .ui-slider-handle, select, input, [contenteditable]");
      for (const part of parts) if (name) part.setAttribute("aria-label", name);
    }
    for (const button of root.querySelectorAll(".widget-play button, .jupyter-widget-play button")) {
      const icon = Object.keys(ICONS).find((name) => button.querySelector(`.${name}`));
      if (icon) button.setAttribute("aria-label", ICONS[icon]);
    }
    for (const picture of root.querySelectorAll(".pmp-still canvas")) {
      const pinned = picture.closest(".pmp-pin");
      picture.setAttribute("aria-label", pinned ? pinned.textContent.trim() : model.get("picture"));
    }
  }
  const later = () => requestAnimationFrame(label);
  const timers = [0, 200, 1000].map((delay) => setTimeout(later, delay)); // the other widgets appear one by one
  model.on("change:picture", later);
  return () => {
    timers.forEach(clearTimeout);
    model.off("change:picture", later);
  };
}

export default { render };
