import type { ErrorCode } from '../errors.ts';

/** What each code means and what to do about it, in Markdown. */
export const MEANINGS: Readonly<Record<ErrorCode, string>> = {
  account_deleted: 'The account behind the session was deleted.',
  address_too_long:
    'Path and query are too long. Ask for fewer codes at once, or send them in the body of the batch search. A server on the way may refuse longer ones in its own words.',
  admin_only: 'Only administrators may do this. An API key needs the scope `admin` as well.',
  ambiguous_name: 'Several areas have this name. `candidates` lists them: use a code.',
  api_key_exceeds_maker: 'A key can not make or rotate one that lives longer or may make more requests than itself.',
  api_key_expired: 'The API key is past its `expires_at`. Create another.',
  api_key_not_active: 'A revoked or expired key can not be rotated. Create a new one.',
  api_key_not_found: 'You have no API key with this id.',
  api_key_replaced: 'The key was rotated already; it works until its grace time is over. Rotate its successor.',
  api_key_revoked: 'The API key was revoked, by its owner or an administrator.',
  area_abolished: 'The area no longer exists. `successors` lists what took its place.',
  area_not_found: 'No area of this level has or had the code.',
  authentication_required: 'What was asked for needs credentials. Send `Authorization: Bearer <token>`.',
  boundaries_not_loaded: 'The active data release has no boundaries that are good enough for this.',
  collection_not_found:
    'OGC API has no collection with this id, or it is a dataset that you can not see. `GET /ogc/collections` lists those there are.',
  columns_not_recognized:
    'No column of the table is known to be what is needed, or one that the query names is not there. `headings` lists those that were found: name the columns in the query.',
  confirmation_mismatch: 'The confirmation must be the id of your own account: `GET /v1/account` gives it.',
  counter_unavailable:
    'The counter of a key can not be told that the key changes, or does not answer. Send the request again after `Retry-After` seconds.',
  data_not_loaded: 'No data release is active yet.',
  database_timeout: 'The database took too long. Try again after `Retry-After` seconds.',
  database_unavailable:
    'The database can not be reached, or can not work at the moment: it may be read-only. Try again after `Retry-After` seconds.',
  dataset_changed:
    'Features were changed while an export that reads them more than once was made. Ask again, or take a format that reads them once.',
  dataset_not_found: 'There is no dataset with this id, or it is private and somebody else’s.',
  download_not_found:
    'No published release has a file of this name: `downloads` lists those of the newest. For an extract: the area has no areas of the level.',
  download_session_expired: 'The session of downloads has expired. Ask for another: `POST /v1/downloads/sessions`.',
  download_session_not_for_file: 'The session was asked for other files.',
  edition_not_found: 'The service has no such edition, or no files of it. `editions` lists those there are.',
  expires_at_in_past: 'A key must expire in the future.',
  export_not_possible: 'The format has no place for what the dataset has. The message says what, and which format has.',
  extract_too_large:
    'The boundaries of an extract are larger than a file is made of. The message says how large they may be.',
  feature_not_found: 'There is no feature with this id, or it is in a dataset that you can not see.',
  file_missing: 'An upload needs a file, as the field `file` of a form.',
  file_not_found: 'The dataset was not uploaded as a file.',
  file_too_large: 'The file is larger than the service takes. The message says how large it may be.',
  forbidden: 'The dataset is public, so that you can read it, but not yours to write to.',
  idempotency_key_in_use:
    'Another request with the same `Idempotency-Key` is under way. Send it again to learn its outcome.',
  idempotency_key_reused:
    'The same `Idempotency-Key` came to this operation with another path or body within 24 hours.',
  identity_provider_unavailable: 'The keys to verify sessions with can not be had right now. API keys still work.',
  internal_error: 'A fault of ours. Quote the header `X-Request-Id` when you ask about it.',
  invalid_api_key: 'Not a key of this service: mistyped, cut short, or made elsewhere.',
  invalid_archive: 'The body is no PMTiles archive of vector tiles that can be served. The message says why.',
  invalid_authorization_header: 'The header must be given once, as `Bearer <token>`.',
  invalid_csv:
    'The table is no CSV that can be read. The message has the line. In an answer that has begun it is in the last line, which begins with `#error`.',
  invalid_download_session:
    'The parameter `session` is not one of `POST /v1/downloads/sessions`: cut short, altered, or made elsewhere.',
  invalid_file:
    'The file can not be read as what its name says it is. The message says why and where: a line, a byte, a record.',
  invalid_geometry: 'Not a geometry of RFC 7946. `path` leads to what is wrong.',
  invalid_json: 'The body is not valid JSON.',
  invalid_multipart: 'The form is malformed: cut off, a field twice, or too many or too large parts.',
  invalid_ogc_session:
    'The parameter `session` is not one of `POST /v1/ogc/sessions`: cut short, altered, or made elsewhere.',
  invalid_parameter:
    'OGC API refuses parameters that it does not have, and values that it can not read. The message names the parameter and what would be right.',
  invalid_signature:
    'The event is not signed with the provider’s secret, or its timestamp is more than five minutes off.',
  invalid_snapshot: 'The objects of a snapshot are missing or have other bytes than were announced.',
  invalid_tile_session:
    'The parameter `session` is not one of `POST /v1/tiles/sessions`: cut short, altered, or made elsewhere.',
  invalid_token: 'The bearer token is none that this service knows, or its signature is wrong.',
  length_required: 'Send the size of the body as `Content-Length`.',
  method_not_allowed: 'The path exists; the header `Allow` lists its methods.',
  missing_areas: 'A webhook endpoint of `area.changed` names no areas. Add PSGC codes to `areas`.',
  missing_municity:
    'Barangays are listed by parent: give `municity_code`, `municity`, `province_code`, `province` or `region`.',
  missing_province: 'Cities and municipalities are listed by parent: give `province_code`, `province` or `region`.',
  missing_scope: 'The API key lacks a scope, which `scope` names.',
  ogc_session_expired: 'The session of OGC API has expired. Ask for another: `POST /v1/ogc/sessions`.',
  ogc_session_not_for_collection:
    'The session of OGC API was asked for without this dataset, or with a key that may not read areas.',
  not_acceptable: 'FHIR is answered in JSON only: send `Accept: application/fhir+json`, or `_format=json`.',
  overview_not_found: 'The release has no boundaries, or was published by an earlier version, without an overview.',
  owner_not_allowed: 'Owners follow from credentials; a body may only repeat your own id or address.',
  owner_not_found: 'There is no user with the id that was given as owner.',
  payload_too_large: 'The body is larger than the operation takes.',
  postal_code_not_found: 'No area is known to have the ZIP code. `nearest` names the nearest known ones.',
  precondition_failed:
    'The archive or file is another version than `If-Match` or `If-Unmodified-Since` asks for: read it anew. A change that is sent with either is refused, because datasets, features and keys have no entity tags and their dates are not compared.',
  quota_exceeded:
    'The datasets of the account would store more bytes than one may. `used_bytes` and `allowed_bytes` say how many.',
  range_not_satisfiable: 'The range begins behind the end. `Content-Range` says how many bytes there are.',
  rate_limit_exceeded: 'Too many requests in a minute. Try again after `Retry-After` seconds.',
  release_in_use:
    'The release is served, answers for its edition, or is being read, so it can not be deleted. The message says which.',
  release_loses_data:
    'With this release users would lose what the active one has. `losses` says what; `force` activates it nevertheless.',
  release_not_checked: 'The checks of the release’s load were never completed, so it can not be served.',
  release_not_found: 'There is no data release with this id, or it is not published with a document.',
  resource_not_found:
    'FHIR has no resource with this id or canonical address. The search of its type lists those there are.',
  route_not_found: 'Nothing is at this path.',
  scope_not_held: 'A key can not be given a scope that its creator does not hold.',
  service_restarting: 'A server of your own is starting again. Try again after `Retry-After` seconds.',
  session_expired: 'The session is over. Sign in again.',
  session_required: 'An account is deleted with a session of its owner, not with an API key.',
  setting_missing:
    'A server for development has no database, or lacks another setting that this needs. The message says what to run.',
  signature_not_found: 'The operator signs no releases, or did not sign this one.',
  snapshot_not_found: 'The release is not published as a snapshot.',
  srid_fixed: 'The `srid` of a dataset says what its features were sent in. It changes only with an upload.',
  storage_ref_fixed: 'The service stores the file of this dataset: its `storage_ref` changes only with an upload.',
  storage_unavailable: 'The object store does not answer as it should. Try again after `Retry-After` seconds.',
  tile_archive_not_found: 'There are no tiles of this name. `GET /v1/tiles` lists those there are.',
  tile_not_found: 'The tile is outside the zooms of the archive, or outside the map.',
  tile_session_expired: 'The tile session has expired. Ask for another: `POST /v1/tiles/sessions`.',
  tile_session_not_for_slug: 'The tile session was asked for other archives.',
  too_many_api_keys: 'The user has as many active keys as one may have. Revoke one first.',
  too_many_areas:
    'The polygon meets more areas than can be measured in one request. Ask for a coarser level, or for parts.',
  too_many_features: 'The dataset has more features than can be counted in one request.',
  too_many_headers: 'A server of your own takes 200 headers in a request at most.',
  too_many_uploads:
    'The account has as many uploads under way as one may have, or replaced so much that it has to be deleted first. Try again after `Retry-After` seconds.',
  too_many_webhook_endpoints: 'The account has as many webhook endpoints as one may have. Delete one first.',
  unscoped_key_required: 'A key that is limited to scopes can not manage keys, webhook endpoints or the account.',
  unsupported_auth_scheme: 'The `Authorization` header must be of the scheme `Bearer`.',
  unsupported_file_type:
    'No features can be read from a file of this name. Use `feature_storage=r2_only` to store it as it is.',
  unsupported_media_type: 'The body must be of the declared type, and its `Content-Type` must say so.',
  unsupported_srid: 'No spatial reference system has this number, or there is no way from it to WGS 84 here.',
  user_not_found: 'There is no user with this id, or no longer.',
  user_not_restorable:
    'The grace after the deletion of this user has ended: the account is being erased and can not be restored.',
  user_required: 'The master token stands for no user. Use a session or an API key.',
  webhook_delivery_not_found: 'The endpoint has no delivery with this id, or it is older than 30 days.',
  webhook_endpoint_disabled:
    'Nothing is sent to an endpoint that is disabled. `disabled_reason` says why it is, if the service did it. Enable it first.',
  webhook_endpoint_not_found: 'You have no webhook endpoint with this id.',
  webhook_secret_missing: 'The operator has not set the secret of this provider’s events.',
  webhook_url_not_allowed:
    'Events are sent to https addresses of the public internet only: a name, port 443 or 8443, no user or password.',
};
