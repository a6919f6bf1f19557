/** Who made a part of a release and under which terms. */
export interface DataSource {
  part: 'codes' | 'boundaries';
  name: string;
  edition: string;
  publisher: string;
  url: string;
  licence: string;
  attribution: string;
  note: string | null;
}
