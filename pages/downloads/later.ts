import { readAreas } from './areas.ts';
import { countedWords } from './counts.ts';
import { saveWhole } from './saving.ts';
import { describeFiles } from './structured-data.ts';
import { showFiles } from './whole-levels.ts';

/** What the page needs after it is painted. A browser reads it as one file. */
export const later = { countedWords, describeFiles, readAreas, saveWhole, showFiles };
