import {
  defaultTreeAdapter,
  parse,
  parseFragment,
  type DefaultTreeAdapterMap,
  type DefaultTreeAdapterTypes as Tree,
  type TreeAdapter,
} from 'parse5';

interface ParserLimits {
  /** Limit over everything that one parser reads. */
  elementsMax: number;
  depthMax: number;
  /** Keeps the place of every element and attribute. */
  isLocated: boolean;
}

export interface BoundedParser {
  /** What was read before a limit, when one is met. */
  parse(html: string): Tree.Document;
  /** Empty, when a limit is met. */
  parseFragment(html: string): Tree.DocumentFragment;
  /** False when a limit was met. */
  isComplete: boolean;
  /** What it made so far, and how many were open at once at most. */
  readonly made: { elements: number; depth: number };
}

/** Thrown through the parser to stop it; the tree built so far stays. */
const stop = Symbol('enough');

/** An HTML parser, scripting off, that a message cannot keep busy: nesting costs more than its bytes. */
export function boundedParser({ elementsMax, depthMax, isLocated }: ParserLimits): BoundedParser {
  const made = { elements: 0, depth: 0 };
  let depth = 0;
  let document: Tree.Document | undefined;
  const treeAdapter: TreeAdapter<DefaultTreeAdapterMap> = {
    ...defaultTreeAdapter,
    createDocument: () => (document = defaultTreeAdapter.createDocument()),
    createElement(name, namespace, attributes) {
      if (++made.elements > elementsMax) throw stop;
      return defaultTreeAdapter.createElement(name, namespace, attributes);
    },
    onItemPush() {
      if (++depth > made.depth) made.depth = depth;
      if (depth > depthMax) throw stop;
    },
    onItemPop() {
      depth--;
    },
  };
  const options = { scriptingEnabled: false, sourceCodeLocationInfo: isLocated, treeAdapter };
  const within = <Root>(read: () => Root, rest: () => Root): Root => {
    depth = 0;
    document = undefined;
    try {
      return read();
    } catch (reason) {
      if (reason !== stop) throw reason;
      parser.isComplete = false;
      return rest();
    }
  };
  const parser: BoundedParser = {
    parse: (html) =>
      within(
        () => parse(html, options),
        () => document ?? defaultTreeAdapter.createDocument(),
      ),
    parseFragment: (html) =>
      within(
        () => parseFragment(html, options),
        () => defaultTreeAdapter.createDocumentFragment(),
      ),
    isComplete: true,
    made,
  };
  return parser;
}
