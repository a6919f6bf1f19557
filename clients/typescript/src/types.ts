import type { components, operations } from './openapi.ts';

type Schemas = components['schemas'];

/** The query of an operation. */
export type QueryOf<Id extends keyof operations> = NonNullable<operations[Id]['parameters']['query']>;

/** The parameters of a list: filters, sorting, records in a page, and the resolution of boundaries. */
export type FilterOf<Id extends keyof operations> = Omit<QueryOf<Id>, 'page' | 'format' | 'edition'>;

/** The JSON body of an answer. */
export type JsonOf<Id extends keyof operations> = operations[Id] extends {
  responses: { 200: { content: { 'application/json': infer Body } } };
}
  ? Body
  : never;

/** The member `data` of an answer. */
export type DataOf<Id extends keyof operations> = JsonOf<Id> extends { data: infer Data } ? Data : never;

/** An item of `data`. */
type ItemOf<Id extends keyof operations> = DataOf<Id> extends (infer Item)[] ? Item : never;

/** The types of each level of geography. */
export interface Levels {
  regions: {
    record: ItemOf<'list_regions'>;
    found: ItemOf<'search_regions'>;
    detail: DataOf<'get_region'>;
    properties: Schemas['RegionFeature']['properties'];
    filter: FilterOf<'list_regions'>;
    search: Omit<QueryOf<'search_regions'>, 'q' | 'edition'>;
  };
  provinces: {
    record: ItemOf<'list_provinces'>;
    found: ItemOf<'search_provinces'>;
    detail: DataOf<'get_province'>;
    properties: Schemas['ProvinceFeature']['properties'];
    filter: FilterOf<'list_provinces'>;
    search: Omit<QueryOf<'search_provinces'>, 'q' | 'edition'>;
  };
  municities: {
    record: ItemOf<'list_municities'>;
    found: ItemOf<'search_municities'>;
    detail: DataOf<'get_municity'>;
    properties: Schemas['MunicityFeature']['properties'];
    filter: FilterOf<'list_municities'>;
    search: Omit<QueryOf<'search_municities'>, 'q' | 'edition'>;
  };
  barangays: {
    record: ItemOf<'list_barangays'>;
    found: ItemOf<'search_barangays'>;
    detail: DataOf<'get_barangay'>;
    properties: Schemas['BarangayFeature']['properties'];
    filter: FilterOf<'list_barangays'>;
    search: Omit<QueryOf<'search_barangays'>, 'q' | 'edition'>;
  };
}

export type Region = Schemas['Region'];
export type Province = Schemas['Province'];
export type Municity = Schemas['Municity'];
export type Barangay = Schemas['Barangay'];
export type Hierarchy = Schemas['Hierarchy'];
export type ParsedAddress = Schemas['ParsedAddress'];
export type PostalCode = Schemas['PostalCode'];
export type SearchHit = Schemas['SearchHit'];
export type Suggestion = Schemas['Suggestion'];
export type MatchRow = Schemas['MatchRow'];
export type MatchedRow = Schemas['MatchedRow'];
export type Place = Schemas['Place'];
export type AreaChange = Schemas['AreaChange'];
export type CrosswalkRow = Schemas['CrosswalkRow'];
export type Edition = Schemas['Edition'];
export type Sources = Schemas['Sources'];
export type Download = Schemas['Download'];
/** The files and objects of a release. */
export type ReleaseDocument = Schemas['ReleaseDocument'];
export type Dataset = Schemas['Dataset'];
/** The rows or features of a file that are not valid. */
export type InvalidRows = Schemas['InvalidRows'];
export type NewDataset = Schemas['DatasetInput'];
export type DatasetPatch = Schemas['DatasetPatch'];
export type DatasetFeature = Schemas['Feature'];
export type NewFeature = Schemas['FeatureInput'];
export type FeaturePatch = Schemas['FeaturePatch'];
export type WebhookEndpoint = Schemas['WebhookEndpoint'];
/** An endpoint with its secret. */
export type CreatedWebhookEndpoint = Schemas['CreatedWebhookEndpoint'];
export type NewWebhookEndpoint = Schemas['WebhookEndpointInput'];
export type WebhookEndpointPatch = Schemas['WebhookEndpointPatch'];
export type WebhookSecretRotation = Schemas['WebhookSecretRotation'];
export type WebhookDelivery = Schemas['WebhookDelivery'];

/** The resolution of a boundary. */
export type Resolution = 'simple' | 'medium' | 'detailed';

/** A level, as answers name it. */
export type LevelName = 'region' | 'province' | 'municity' | 'submunicipality' | 'barangay';
