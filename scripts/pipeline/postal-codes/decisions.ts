import { z } from 'zod';
import given from './decisions.json' with { type: 'json' };

/** What is decided by hand of a ZIP code: the areas that it has, in place of those of the lists, and why. */
export const decisions = z
  .array(
    z.strictObject({
      zip: z.string().regex(/^\d{4}$/),
      place: z.string().min(1),
      areas: z.array(z.strictObject({ code: z.string().regex(/^\d{10}$/), name: z.string().min(1) })).min(1),
      why: z.string().min(5),
    }),
  )
  .parse(given);
