"""One widget on a plain page, without JupyterLab and without a kernel: quick, and enough for what a script does."""

import base64

import anywidget
import numpy as np

from browser import lab
from pmp_kit.course.explore import layout

FRAMES = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
"""Resolves after the next frame of the screen."""
MOUNT = """async ({ module, style, traits, buffers }) => {
    document.head.append(Object.assign(document.createElement('style'), { textContent: style }));
    const read = (text) => new DataView(Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)).buffer);
    const handlers = {};
    const spell = (value) => (value instanceof DataView ? Math.random() : JSON.stringify(value));
    const differs = (name, value) => spell(traits[name]) !== spell(value); // bytes count as new ones
    const update = (values) => {
        const changed = Object.keys(values).filter((name) => differs(name, values[name]));
        Object.assign(traits, values); // all of them, before any handler runs
        for (const name of changed) window.tell(`change:${name}`);
    };
    [window.saved, window.sent] = [0, []];
    window.tell = (event, content) => [...(handlers[event] ?? [])].forEach((act) => act(content));
    window.model = {
        get: (name) => traits[name],
        set: (name, value) => update({ [name]: value }),
        save_changes: () => void (window.saved += 1),
        send: (content) => void window.sent.push(content),
        on: (event, handler) => void (handlers[event] ??= new Set()).add(handler),
        off: (event, handler) => void handlers[event]?.delete(handler),
    };
    window.receive = (plain, buffers) => {
        const views = Object.entries(buffers).map(([name, text]) => [name, read(text)]);
        update({ ...plain, ...Object.fromEntries(views) });
    };
    window.receive({}, buffers);
    const address = URL.createObjectURL(new Blob([module], { type: 'text/javascript' }));
    const { default: { render } } = await import(address);
    window.host = document.createElement('div');
    window.end = render({ model: window.model, el: window.host });
    document.body.append(window.host);
}"""


def traits_of(widget) -> tuple[dict, dict]:
    """The values that a widget sends to the page: plain ones, and bytes in base64."""
    names = sorted(set(widget.traits(sync=True)) - set(anywidget.AnyWidget.class_traits()))
    values = {name: getattr(widget, name) for name in names if not name.startswith("_")}
    buffers = {name: base64.b64encode(value).decode() for name, value in values.items() if isinstance(value, bytes)}
    return {name: value for name, value in values.items() if name not in buffers}, buffers


def mount(page, widget) -> None:
    """Render a widget on a page as anywidget does. It is put on the page a moment later, as JupyterLab does it."""
    traits, buffers = traits_of(widget)
    page.evaluate(
        MOUNT,
        {
            "module": widget._esm,
            "style": getattr(widget, "_css", "") or layout.style_sheet(),
            "traits": traits,
            "buffers": buffers,
        },
    )


def send(page, widget) -> None:
    """Send all values of a widget to the page again: what changed in the kernel arrives."""
    page.evaluate("([plain, buffers]) => window.receive(plain, buffers)", list(traits_of(widget)))


def pixels(canvas) -> np.ndarray:
    """What a canvas shows: (height, width, 4), red, green, blue and opacity."""
    _, _, png = canvas.evaluate("(canvas) => canvas.toDataURL()").partition(",")
    return np.asarray(lab.decoded(png).convert("RGBA"))
