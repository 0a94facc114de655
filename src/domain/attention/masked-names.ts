// Takes out of an excerpt what names people: handles, addresses, profile links. What they said stays.

/** A link is reduced to its host: the rest of it often is somebody's profile. */
const LINK = /\bhttps?:\/\/(?:[^\s/?#@]*@)?([^\s/?#…]+)(?:[/?#…]\S*)?/gi;
/** The host alone, when a provider has cut the scheme off a link to a profile. */
const PROFILE =
  /\b((?:www\.|mobile\.|old\.)?(?:x\.com|twitter\.com|t\.me|bsky\.app|reddit\.com|stocktwits\.com))\/\S+/gi;
const MAIL = /[@＠]?[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g;
/** `@name`, `@name.host` and `@name@host`, also with a full-width sign. */
const HANDLE = /[@＠][\p{L}\p{N}_](?:[\p{L}\p{N}_.-]*[\p{L}\p{N}_])?(?:@[\w-]+(?:\.[\w-]+)+)?/gu;
const FORUM_NAME = /(^|[^\w])\/?u\/[\w-]{2,}/gi;
const IDENTIFIER = /\bdid:[a-z]+:[\w.:%-]+/gi;

export function withoutNames(excerpt: string): string {
  return excerpt
    .replace(LINK, '$1/…')
    .replace(PROFILE, '$1/…')
    .replace(IDENTIFIER, 'did:…')
    .replace(MAIL, '@…')
    .replace(HANDLE, '@…')
    .replace(FORUM_NAME, '$1u/…');
}
