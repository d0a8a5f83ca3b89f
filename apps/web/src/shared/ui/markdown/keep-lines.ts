interface Node {
  type: string;
  value?: string;
  children?: Node[];
}

function broken(node: Node): Node[] {
  if (node.type !== 'text' || !node.value?.includes('\n')) return [withBreaks(node)];
  return node.value
    .split(/[\t ]*\r?\n/)
    .flatMap((value, at) => [
      ...(at > 0 ? [{ type: 'break' }] : []),
      ...(value ? [{ ...node, value }] : []),
    ]);
}

function withBreaks(node: Node): Node {
  if (node.children) node.children = node.children.flatMap(broken);
  return node;
}

/** For remark: a line break in a paragraph stays one. */
export function keepLines() {
  return (tree: Node): void => {
    withBreaks(tree);
  };
}
