// A theme is a sector under a name that fits into an address.

export function themeOf(sector: string): { readonly theme: string; readonly name: string } {
  const theme = sector
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
  return { theme, name: sector };
}
