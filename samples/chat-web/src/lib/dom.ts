/** The view layer: virtual nodes made by JSX, rendered by replacing what changed. */

export type Child = VNode | string | number | boolean | null | undefined;
export type Props = Record<string, unknown>;
export type Component<P = Props> = (props: P & { children?: Child[] }) => VNode;

export interface VNode {
  tag: string;
  props: Props;
  children: VNode[];
  text?: string;
}

const textNode = (text: string): VNode => ({ tag: "#text", props: {}, children: [], text });

export function h(tag: string | Component<any>, props: Props | null, ...children: Child[]): VNode {
  if (typeof tag === "function") {
    return tag({ ...props, children });
  }
  return { tag, props: props ?? {}, children: normalise(children) };
}

export const Fragment: Component = ({ children }) => ({
  tag: "#fragment",
  props: {},
  children: normalise(children ?? []),
});

function normalise(children: Child[]): VNode[] {
  return children
    .flat(Infinity as 1)
    .filter((child) => child !== null && child !== undefined && typeof child !== "boolean")
    .map((child) => (typeof child === "object" ? (child as VNode) : textNode(String(child))));
}

export function patch(parent: Node, before: VNode | undefined, after: VNode | undefined, index = 0): void {
  const existing = parent.childNodes[index];
  if (!after) {
    existing?.remove();
  } else if (!before || !existing) {
    parent.appendChild(create(after));
  } else if (before.tag !== after.tag || before.text !== after.text) {
    parent.replaceChild(create(after), existing);
  } else {
    applyProps(existing as HTMLElement, before.props, after.props);
    // Backwards, so that removing a child does not shift the ones still to be visited.
    const count = Math.max(before.children.length, after.children.length);
    for (let i = 0; i < after.children.length; i++) patch(existing, before.children[i], after.children[i], i);
    for (let i = count - 1; i >= after.children.length; i--) patch(existing, before.children[i], undefined, i);
  }
}

function create(node: VNode): Node {
  if (node.tag === "#text") return document.createTextNode(node.text ?? "");
  const element = document.createElement(node.tag === "#fragment" ? "div" : node.tag);
  applyProps(element, {}, node.props);
  node.children.forEach((child) => element.appendChild(create(child)));
  return element;
}

function applyProps(element: HTMLElement, before: Props, after: Props): void {
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const value = after[name];
    if (before[name] === value) continue;
    if (name.startsWith("on")) {
      (element as any)[name.toLowerCase()] = value ?? null;
    } else if (value === undefined || value === false) {
      element.removeAttribute(name);
    } else {
      element.setAttribute(name, String(value));
    }
  }
}
