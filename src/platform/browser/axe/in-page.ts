// The part of an audit that runs in the page.

/**
 * A function's source: `(loadAxe, { rules, mark, elementsMax })` to the result, or `{ elements }` when there are too
 * many.
 *
 * The world has the page's elements but none of its globals, and no timers, since the document's scripts are off: short
 * timers become microtasks, and long ones, which only guard waits that don't happen here, never fire. Elements can
 * stand in for properties of the document and of forms by their names, which the rules would stumble over; such names
 * go.
 */
export const AUDIT = `async (loadAxe, { rules, mark, elementsMax }) => {
  const all = (selector) => Array.from(Document.prototype.querySelectorAll.call(document, selector));
  const attribute = (element, name) => Element.prototype.getAttribute.call(element, name);
  const remove = (element, name) => Element.prototype.removeAttribute.call(element, name);
  const elements = all('*').length;
  if (elements > elementsMax) return { elements };

  let timers = 0;
  const waiting = new Set();
  globalThis.setTimeout = (work, delay = 0, ...values) => {
    timers += 1;
    const id = timers;
    if (delay <= 50) {
      waiting.add(id);
      Promise.resolve().then(() => { if (waiting.delete(id)) work(...values); });
    }
    return id;
  };
  globalThis.clearTimeout = (id) => { waiting.delete(id); };

  for (const element of all('img, form, embed, object, iframe, frame, applet')) remove(element, 'name');
  for (const element of all('embed, object, iframe, form')) {
    if (attribute(element, 'id') in Document.prototype) remove(element, 'id');
  }
  for (const form of all('form')) {
    for (const control of Array.from(Element.prototype.querySelectorAll.call(form, '[name], [id]')).concat(all('[form]'))) {
      if (attribute(control, 'name') in HTMLFormElement.prototype) remove(control, 'name');
      if (attribute(control, 'id') in HTMLFormElement.prototype) remove(control, 'id');
    }
  }

  const axe = loadAxe();
  const results = await axe.run(document, {
    runOnly: { type: 'rule', values: rules },
    resultTypes: ['violations', 'incomplete'],
    elementRef: true, iframes: false, preload: false, performanceTimer: false,
  });
  const cut = (text, length) => { const whole = String(text); return whole.length > length ? whole.slice(0, length - 1) + '…' : whole; };
  const checkOf = ({ id, message, data }) => ({
    id, message: cut(message, 400),
    data: Object.fromEntries(Object.entries(data !== null && typeof data === 'object' ? data : {})
      .filter(([, value]) => ['string', 'number', 'boolean'].includes(typeof value))
      .slice(0, 12).map(([name, value]) => [name, typeof value === 'string' ? cut(value, 100) : value])),
  });
  const markOf = (element) => {
    for (let at = element; mark !== '' && at instanceof Element; at = Object.getOwnPropertyDescriptor(Node.prototype, 'parentElement').get.call(at)) {
      const value = attribute(at, mark);
      if (value !== null) return cut(value, 40);
    }
    return undefined;
  };
  const nodeOf = ({ target, html, impact, any, all, none, element }) => ({
    target: cut(target.flat().join(' '), 500), html: cut(html, 300), mark: markOf(element), impact: impact ?? undefined,
    any: any.slice(0, 10).map(checkOf), all: all.concat(none).slice(0, 10).map(checkOf),
  });
  const ruleOf = ({ id, impact, tags, description, help, nodes }, nodesMax) => ({
    id, impact: impact ?? undefined, tags, description, help, nodes: nodes.slice(0, nodesMax).map(nodeOf), nodeCount: nodes.length,
  });
  return {
    engine: 'axe-core ' + axe.version,
    failures: results.violations.map((rule) => ruleOf(rule, 200)),
    incomplete: results.incomplete.map((rule) => ruleOf(rule, 200)),
    passes: results.passes.map((rule) => ruleOf(rule, 0)),
    inapplicable: results.inapplicable.map(({ id }) => id),
  };
}`;
