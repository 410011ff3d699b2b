// A port lets a lower feature use a higher one: the lower feature declares it, and the higher one provides it.

export { addTo, defineList, openLists, type Addition, type Lists } from './lists.ts';

/** A need, by the feature that has it. `Offer` is what a provider has to bring. */
interface Port<Offer = unknown> {
  readonly name: string;
  /** For types only; never set. */
  readonly offer?: (offer: Offer) => Offer;
}

/** What a feature brings for a port of another. */
export interface Provision {
  port: { readonly name: string };
  offer: unknown;
}

export interface Ports {
  /** What the provider of a port brings. Throws for a port that no feature declares. */
  get<Offer>(port: Port<Offer>): Offer;
}

/** Declares a need; `name` is `<feature>.<need>`, such as `seeds.sender-domains`. */
export function definePort<Offer>(name: string): Port<Offer> {
  return { name };
}

/** Meets the need of a port. */
export function provide<Offer>(port: Port<Offer>, offer: Offer): Provision {
  return { port, offer };
}

/**
 * Joins needs and what meets them. Throws when a port has no provider, two of them, or is provided but not declared.
 */
export function openPorts(declared: readonly { readonly name: string }[], provisions: readonly Provision[]): Ports {
  const names = declared.map(({ name }) => name);
  const twice = names.find((name, place) => names.indexOf(name) !== place);
  if (twice !== undefined) throw new Error(`Two ports are named ${twice}.`);
  const offers = new Map<string, unknown>();
  for (const { port, offer } of provisions) {
    if (!names.includes(port.name)) throw new Error(`No feature declares the port ${port.name}, which one provides.`);
    if (offers.has(port.name)) throw new Error(`Two features provide the port ${port.name}.`);
    offers.set(port.name, offer);
  }
  const unmet = names.find((name) => !offers.has(name));
  if (unmet !== undefined) throw new Error(`No feature provides the port ${unmet}.`);
  return {
    get<Offer>(port: Port<Offer>): Offer {
      if (!offers.has(port.name)) throw new Error(`No feature declares the port ${port.name}.`);
      return offers.get(port.name) as Offer;
    },
  };
}
