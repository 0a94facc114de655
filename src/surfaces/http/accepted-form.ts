// Which form of an answer a caller would rather have, by its Accept header.

interface Match {
  readonly quality: number;
  /** 0 for the type itself, 1 for its group, 2 for anything; 3 where nothing fits. */
  readonly distance: number;
}

/** By the closest range, wherever it stands. */
function matchOf(accept: string, type: string): Match {
  const ranges = [type, `${type.slice(0, type.indexOf('/'))}/*`, '*/*'];
  let match: Match = { quality: 0, distance: ranges.length };
  for (const item of accept.toLowerCase().split(',')) {
    const [range, ...parameters] = item.split(';').map((part) => part.trim());
    const distance = ranges.indexOf(range!);
    if (distance < 0 || distance >= match.distance) continue;
    const given = parameters.find((parameter) => parameter.startsWith('q='));
    match = { quality: given === undefined ? 1 : Number(given.slice(2)) || 0, distance };
  }
  return match;
}

/** JSON is the usual form: Markdown must be liked better, or as much and named more closely. */
export function prefersMarkdown(accept: string | undefined): boolean {
  if (accept === undefined) return false;
  const page = matchOf(accept, 'text/markdown');
  const json = matchOf(accept, 'application/json');
  if (page.quality !== json.quality) return page.quality > json.quality;
  return page.quality > 0 && page.distance < json.distance;
}
