// Reading a message's document. Its elements can take the name of any property of their document and of their form:
// after `<img name="head">`, `document.head` is a picture. So every property is read from its prototype.

function reader<Owner extends object, Name extends keyof Owner>(
  prototype: Owner,
  name: Name,
): (owner: Owner) => Owner[Name] {
  const read = Object.getOwnPropertyDescriptor(prototype, name)?.get;
  if (!read) throw new Error(`${String(name)} is not an accessor.`);
  return (owner) => read.call(owner) as Owner[Name];
}

const childrenRead = reader(Element.prototype, 'children');

/** The kind of document that a message declares, if any. */
export const doctypeOf = reader(Document.prototype, 'doctype');
/** The element with what it holds, as HTML. */
export const outerHtmlOf = reader(Element.prototype, 'outerHTML');
export const nodeTypeOf = reader(Node.prototype, 'nodeType');

/** The elements that a selector finds in a document. Throws a `SyntaxError` for what is no selector. */
export function all(parsed: Document, selector: string): HTMLElement[] {
  return [...Document.prototype.querySelectorAll.call(parsed, selector)] as HTMLElement[];
}

export function childrenOf(element: Element): Element[] {
  return [...childrenRead(element)];
}

export function attributeOf(element: Element, name: string): string | null {
  return Element.prototype.getAttribute.call(element, name);
}

export function attributeNamesOf(element: Element): string[] {
  return Element.prototype.getAttributeNames.call(element);
}

export function setAttribute(element: Element, { name, value }: { name: string; value: string }): void {
  Element.prototype.setAttribute.call(element, name, value);
}

export function removeAttribute(element: Element, name: string): void {
  Element.prototype.removeAttribute.call(element, name);
}

export function remove(element: Element): void {
  Element.prototype.remove.call(element);
}

export function boxOf(element: Element): DOMRect {
  return Element.prototype.getBoundingClientRect.call(element);
}

/** The element itself or the nearest around it that a selector fits. */
export function closest(element: Element, selector: string): Element | null {
  return Element.prototype.closest.call(element, selector);
}

/** Listens to events of a document; gives what ends it. */
export function listen(parsed: Document, names: readonly string[], handle: (event: Event) => void): () => void {
  for (const name of names) EventTarget.prototype.addEventListener.call(parsed, name, handle);
  return () => {
    for (const name of names) EventTarget.prototype.removeEventListener.call(parsed, name, handle);
  };
}
