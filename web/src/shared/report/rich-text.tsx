/** A sentence in which `code` stands between backticks, and links as in Markdown; nothing else is read as markup. */
export function RichText({ text }: { text: string }) {
  const parts = text.split(/(`[^`]+`|\[[^\]]+\]\(https?:\/\/[^)\s]+\))/);
  return parts.map((part, place) => {
    if (part.startsWith('`') && part.length > 2)
      return (
        <code key={place} className="code">
          {part.slice(1, -1)}
        </code>
      );
    const [, words, address] = /^\[([^\]]+)\]\((https?:\/\/[^)\s]+)\)$/.exec(part) ?? [];
    return address ? (
      <a key={place} href={address} target="_blank" rel="noreferrer">
        {words}
      </a>
    ) : (
      part
    );
  });
}
