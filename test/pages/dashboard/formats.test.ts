import { describe, expect, it } from 'vitest';
import { UPLOAD_FORMATS, uploadFormatOf } from '../../../pages/dashboard/upload-formats.ts';
import { FORMATS } from '../../../src/uploads/formats/registry.ts';

describe('the dashboard', () => {
  it('knows every format that features are read from, by the same names and endings', () => {
    const facts = ({ name, extensions }: { name: string; extensions: readonly string[] }) => ({ name, extensions });
    expect(UPLOAD_FORMATS.map(facts)).toEqual(FORMATS.map(facts));
    expect(uploadFormatOf('Wells.GeoJSON')?.name).toBe('GeoJSON');
    expect(uploadFormatOf('wells.tif')).toBeUndefined();
  });
});
