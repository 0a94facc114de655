// CSV by RFC 4180: what is a record, on which line it begins, and what is refused.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CsvRecords } from './csv-records.js';
import { LineSplitter } from './line-splitter.js';

interface Read {
  readonly records: (readonly [line: number, ...fields: string[]])[];
  readonly refused: (readonly [line: number, reason: string])[];
  readonly texts: string[];
}

function read(text: string | Buffer, longest?: number): Read {
  const seen: Read = { records: [], refused: [], texts: [] };
  const csv = new CsvRecords({
    record: (fields, line) => seen.records.push([line, ...fields]),
    refuse: (line, reason, refusedText) => {
      seen.refused.push([line, reason]);
      seen.texts.push(refusedText);
    },
  });
  let line = 0;
  const splitter = new LineSplitter((part, flaw, odd) => csv.line(part, ++line, flaw, odd), longest);
  splitter.push(Buffer.from(text));
  splitter.end();
  csv.end(line);
  return seen;
}

const character = fc.nat(0x10f7ff).map((n) => String.fromCodePoint(n < 0xd800 ? n : n + 0x800));

const STRAY = 'a quote stands inside a field that is not quoted';
const AFTER = 'text follows a closing quote';
const TOO_LONG = 'the record is longer than 1 MiB';

it.each<[string, string, Read['records']]>([
  [
    'plain fields',
    'a,b\n1,2',
    [
      [1, 'a', 'b'],
      [2, '1', '2'],
    ],
  ],
  [
    'empty fields',
    ',\n"",\n,""',
    [
      [1, '', ''],
      [2, '', ''],
      [3, '', ''],
    ],
  ],
  ['quotes around anything', '"a,b","c""d",""""', [[1, 'a,b', 'c"d', '"']]],
  [
    'records over several lines',
    '"x\n\ny",1\n2,3',
    [
      [1, 'x\n\ny', '1'],
      [4, '2', '3'],
    ],
  ],
  [
    'both line endings, kept inside quotes',
    'a,b\r\n"c\r\nd",e\r\n"f"\r\n',
    [
      [1, 'a', 'b'],
      [2, 'c\r\nd', 'e'],
      [4, 'f'],
    ],
  ],
  [
    'blank lines between records',
    '\n  \r\na\n\nb\n',
    [
      [3, 'a'],
      [5, 'b'],
    ],
  ],
  ['spaces as they stand', ' a , b ', [[1, ' a ', ' b ']]],
  ['a doubled quote at the end of a line', '"a""\nb",c', [[1, 'a"\nb', 'c']]],
])('reads %s', (_, text, records) => {
  expect(read(text)).toEqual({ records, refused: [], texts: [] });
});

describe('a faulty record', () => {
  it('is refused on the line where it begins, and the next one is read', () => {
    const { records, refused } = read('a,5" pipe\n"x"y,1\nok,1\n"over\ntwo"!,1\nok,2\n');
    expect(refused).toEqual([
      [1, STRAY],
      [2, AFTER],
      [4, AFTER],
    ]);
    expect(records).toEqual([
      [3, 'ok', '1'],
      [6, 'ok', '2'],
    ]);
  });

  it('is shown whole', () => {
    expect(read('"over\r\ntwo"!,1\r\n').texts).toEqual(['"over\r\ntwo"!,1\r']);
  });

  it('is never read again as several: quoted text cannot smuggle a record in', () => {
    const hostile = `"${'x'.repeat(30)}\nevil,1\n${'y'.repeat(30)}",1\nok,2\n`;
    const { records, refused } = read(hostile, 20);
    expect(refused).toEqual([[1, TOO_LONG]]);
    expect(records).toEqual([[4, 'ok', '2']]);
  });

  it('that does not end is refused with all that it took in, however long that is', () => {
    const { records, refused, texts } = read('a,b\n1,"two\nthree,4\n');
    expect(records).toEqual([[1, 'a', 'b']]);
    expect(refused).toEqual([
      [2, 'a quoted field does not end, so nothing is read from here to line 3, the last'],
    ]);
    expect(texts).toEqual(['1,"two\nthree,4']);
    const long = read(`ok,1\nx,"${'rest\n'.repeat(400_000)}`);
    expect(long.records).toEqual([[1, 'ok', '1']]);
    expect(long.refused).toMatchObject([
      [2, expect.stringMatching(/does not end.* to line 400001, the last/)],
    ]);
    expect(long.texts[0]!.length).toBeLessThan(1_050_000);
  });

  it('that does not end costs one record where a later one is quoted too', () => {
    const { records, refused } = read('a,"unclosed\nb,"x"\nc,"y"\nd,e\n');
    expect(refused).toEqual([[1, AFTER]]);
    expect(records).toEqual([
      [3, 'c', 'y'],
      [4, 'd', 'e'],
    ]);
  });

  it('that is not UTF-8 is refused, also when only its second line is not', () => {
    const bytes = Buffer.concat([Buffer.from('a,b\n"x\n'), Buffer.from([0xff]), Buffer.from('",1\nc,d\n')]);
    const { records, refused } = read(bytes);
    expect(refused).toEqual([[2, 'the record is not UTF-8']]);
    expect(records).toEqual([
      [1, 'a', 'b'],
      [4, 'c', 'd'],
    ]);
  });
});

it('bounds a record of many short lines as it bounds a long line', () => {
  const many = `"${'short line\n'.repeat(200_000)}",1\nok,2\n`;
  const { records, refused, texts } = read(many);
  expect(refused).toEqual([[1, TOO_LONG]]);
  expect(records).toEqual([[200_002, 'ok', '2']]);
  expect(texts[0]!.length).toBeLessThanOrEqual(1024 * 1024);
});

it('finds the end of a long line inside quotes by the parity of its quotes', () => {
  const long = 'z'.repeat(40);
  expect(read(`"a\n${long}""${long}\nb",1\nok,2`, 20)).toMatchObject({
    refused: [[1, TOO_LONG]],
    records: [[4, 'ok', '2']],
  });
  expect(read(`"a\n${long}",1\nok,2`, 20)).toMatchObject({
    refused: [[1, TOO_LONG]],
    records: [[3, 'ok', '2']],
  });
  expect(read(`${long},1\nok,2`, 20)).toMatchObject({ refused: [[1, TOO_LONG]], records: [[2, 'ok', '2']] });
});

it('gives back whatever was quoted', () => {
  const field = fc.oneof(
    fc.string({ unit: character }),
    fc.string({ unit: fc.constantFrom('"', ',', '\n', '\r', 'a', ' ') }),
  );
  const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;
  fc.assert(
    fc.property(fc.array(fc.array(field, { minLength: 1, maxLength: 4 }), { maxLength: 5 }), (rows) => {
      const text = rows.map((row) => `${row.map(quoted).join(',')}\r\n`).join('');
      const { records, refused } = read(text);
      expect(refused).toEqual([]);
      expect(records.map(([, ...fields]) => fields)).toEqual(rows);
    }),
  );
});

it('takes any text without failing, however long', () => {
  const any = fc.string({
    unit: fc.constantFrom('"', '""', ',', '\n', '\r\n', 'a', '\0', '\uFEFF'),
    maxLength: 200,
  });
  fc.assert(fc.property(any, (text) => void read(text)));
  for (const text of ['"a\n'.repeat(300_000), '"",a"\n'.repeat(150_000)]) {
    const { records, refused } = read(text);
    expect(records.length + refused.length).toBeGreaterThan(0);
  }
});
