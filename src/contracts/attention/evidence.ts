// Curated posts as evidence: what may be shown of them, and in which state they are.
import { z } from 'zod';
import { InstantText, Sha256 } from '../primitives.js';

export const EvidenceState = z
  .enum([
    'fixture',
    'live',
    'stale',
    'edited',
    'redacted',
    'suppressed',
    'withdrawn',
    'replayed',
    'aggregate',
    'unavailable',
  ])
  .meta({
    id: 'EvidenceState',
    description:
      'fixture: synthetic dev/test evidence shape, not live social text; live; stale: not seen again since; edited: the new text is shown; redacted: the provider forbids excerpts; suppressed: hidden for now; withdrawn: deleted; replayed: served for a past instant; aggregate: a count without posts; unavailable.',
  });

export const TopPostsSort = z
  .enum(['observed_desc', 'independence_desc', 'engagement_at_observation_desc'])
  .meta({
    id: 'TopPostsSort',
    description:
      'observed_desc: newest first; independence_desc: posts whose text fewest others share; engagement_at_observation_desc: most likes, reposts and replies when the post was observed.',
  });

const Count = z.int().nullable();

export const TopPost = z
  .strictObject({
    post_sha256: Sha256.describe('SHA-256 of provider, a zero byte and the id of the post.'),
    state: EvidenceState,
    ui_label: z.string(),
    source_example: z.string().nullable().describe('A source of which this state is typical.'),
    provider: z.string().nullable().describe('Null once withdrawn.'),
    post_id: z.string().nullable().describe('Only where it does not name the author.'),
    observed_at: InstantText.describe('When the post became known here.'),
    created_at: InstantText.nullable(),
    excerpt: z
      .string()
      .nullable()
      .describe(
        'Bounded by what the provider allows, without handles and profile links; null where nothing may be quoted.',
      ),
    lang: z.string().nullable(),
    same_text_authors: Count.describe(
      'Authors in the window whose posts read nearly the same; with independence_desc only.',
    ),
    engagement: z
      .strictObject({ likes: Count, reposts: Count, replies: Count })
      .nullable()
      .describe('As it was when the post was observed.'),
  })
  .meta({ id: 'TopPost', description: 'No author, and nothing that names one.' });
export type TopPost = z.input<typeof TopPost>;
