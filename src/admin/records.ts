import type { WebhookSource } from '../webhooks/events.ts';

/** What administrators see. Moments are RFC 3339 texts in UTC. */

export interface UserRecord {
  readonly id: string;
  readonly subject: string;
  readonly email: string | null;
  readonly email_status: 'bounced' | 'complained' | null;
  readonly email_status_at: string | null;
  readonly name: string | null;
  readonly is_admin: boolean;
  readonly status: 'active' | 'deleted';
  readonly deleted_at: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

export interface UserDetail extends UserRecord {
  readonly api_keys: { readonly total: number; readonly active: number };
  readonly organizations: {
    readonly id: string;
    readonly external_id: string;
    readonly name: string | null;
    readonly slug: string | null;
    readonly role: string | null;
  }[];
}

export interface AuditRecord {
  readonly id: number;
  readonly at: string;
  readonly request_id: string | null;
  readonly actor: { readonly kind: string; readonly user_id: string | null; readonly key_id: string | null };
  readonly action: string;
  readonly subject: { readonly type: string; readonly id: string };
  readonly details: Record<string, unknown>;
}

export interface WebhookEventRecord {
  readonly id: number;
  readonly source: WebhookSource;
  readonly delivery_id: string;
  readonly type: string | null;
  readonly event_at: string | null;
  readonly received_at: string;
  readonly note: string | null;
  readonly bytes: number;
  readonly body_kept: boolean;
}

export interface ReleaseRecord {
  readonly id: string;
  readonly edition: string;
  readonly status: 'active' | 'inactive';
  readonly boundaries: 'none' | 'display' | 'full';
  readonly counts: Record<string, number>;
  readonly checked_at: string | null;
  readonly activated_at: string | null;
  readonly created_at: string;
}

export interface Stats {
  readonly users: { readonly active: number; readonly deleted: number; readonly admins: number };
  readonly organizations: { readonly active: number; readonly members: number };
  readonly api_keys: { readonly active: number; readonly revoked: number; readonly expired: number };
  readonly datasets: {
    readonly total: number;
    readonly public: number;
    readonly features: number;
    readonly bytes: number;
  };
  readonly requests: { readonly today: number; readonly last_30_days: number };
  readonly webhook_events: { readonly total: number; readonly last_24_hours: number; readonly without_effect: number };
  readonly audit_logs: { readonly total: number };
  readonly releases: { readonly total: number; readonly active: string | null };
}
