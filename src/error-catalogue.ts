/** An API error: its status, and its message with `{placeholders}`. */
export interface CatalogueEntry {
  status: number
  message: string
  /** The source of the status. @default 'inferred' */
  source?: string
}

/**
 * All errors of the routes and the request pipeline. `docs/errors.md` is generated from this list.
 * The messages are inferred, because the reference does not document any messages.
 */
export const errorCatalogue = {
  host_foreign: {
    status: 403,
    message:
      'The server does not accept the host {host}. Use a loopback address, the address of ' +
      '--host or --base-url, or start the server with --allow-host.',
    source: "the sandbox's own",
  },
  origin_foreign: {
    status: 403,
    message:
      'The server does not accept requests from pages of {origin}. Serve the pages from a ' +
      'loopback address or from --base-url, or start the server with --allow-origin, which ' +
      'allows requests only to the API.',
    source: "the sandbox's own",
  },
  key_missing: {
    status: 401,
    message:
      "No API key was sent. Send 'Authorization: Bearer <API_KEY>' or 'X-API-Key: <API_KEY>'.",
    source: 'reference §5.4',
  },
  key_unknown: { status: 401, message: 'The API key is not valid.', source: 'reference §5.4' },
  minute_limit: {
    status: 429,
    message: 'Rate limit exceeded: {limit} requests per minute for this organisation{clock}.',
    source: 'reference §8',
  },
  day_limit: {
    status: 429,
    message: 'Rate limit exceeded: {limit} requests per day for this organisation{clock}.',
    source: 'reference §8',
  },
  subscription_inactive: { status: 402, message: 'The organisation has no active subscription.' },
  credits_exhausted: { status: 402, message: 'The organisation is out of credits.' },
  route_unknown: { status: 404, message: 'No route matches {method} {path}.' },
  permission_missing: {
    status: 403,
    message: 'The role {role} of the key does not have the permission {permission}.',
    source: 'reference §5.3',
  },
  account_unknown: {
    status: 404,
    message: 'Account {account_id} is not a connected account of this organisation.',
    source: 'reference §7',
  },
  body_too_large: {
    status: 413,
    message: 'The request body is larger than {limit} bytes.',
    source: 'reference §7.2',
  },
  body_not_json: {
    status: 400,
    message: 'The request body must be JSON with Content-Type: application/json; {problem}.',
  },
  body_encoded: {
    status: 400,
    message:
      'The request body has the Content-Encoding {encoding}. Send the body uncompressed, without ' +
      'this header.',
  },
  parameter_invalid: {
    status: 400,
    message: '{place} {name} is {received}, but {expected}.',
    source: 'reference §7',
  },
  session_lapsed: {
    status: 424,
    message: 'The upstream session of account {account_id} has lapsed. Reconnect the account.',
    source: 'reference §1',
  },
  window_reversed: {
    status: 400,
    message: '{from_name} ({from}) is later than {to_name} ({to}).',
    source: 'reference §4 Fans 2',
  },
  post_unknown: { status: 404, message: 'Post {post_id} does not exist on account {account_id}.' },
  label_unknown: {
    status: 404,
    message: 'Label {label_id} does not exist on account {account_id}.',
  },
  media_unknown: {
    status: 404,
    message: 'Vault media {media_id} does not exist on account {account_id}.',
  },
  vault_list_unknown: {
    status: 404,
    message: 'Vault list {list_id} does not exist on account {account_id}.',
  },
  media_hash_unknown: {
    status: 404,
    message: 'No vault media of account {account_id} has the hash {hash} and {size} bytes.',
  },
  upload_unknown: {
    status: 404,
    message: 'Account {account_id} has no open upload with the id {upload_id} and that key.',
  },
  upload_address_unknown: {
    status: 404,
    message: 'No open upload has this URL. Create an upload to get new URLs.',
  },
  post_locked: {
    status: 403,
    message: 'Post {post_id} is locked by the platform and cannot be {verb}.',
  },
  upload_expired: {
    status: 403,
    message: 'This upload URL has expired. Create the upload again to get a new URL.',
  },
  upload_empty: { status: 400, message: 'The request has no body. PUT the bytes of the file.' },
  vault_list_protected: {
    status: 403,
    message: 'Vault list {list_id} ({name}) is built in and cannot be {verb}.',
    source: 'reference §4 Vault',
  },
  share_unknown: {
    status: 404,
    message: 'Share {share_id} does not exist, or is no longer open.',
    source: 'reference §7',
  },
  tag_unknown: { status: 404, message: 'Tag {tag_id} does not exist in this organisation.' },
  trial_link_unknown: {
    status: 404,
    message: 'Trial link {link_id} does not exist on account {account_id}.',
  },
  tracking_link_unknown: {
    status: 404,
    message: 'Tracking link {link_id} does not exist on account {account_id}.',
  },
  payout_system_missing: {
    status: 403,
    message: 'Account {account_id} has selected no payout system, so it cannot be paid out.',
  },
  story_unknown: {
    status: 404,
    message: 'Story {story_id} does not exist on account {account_id}.',
  },
  promotion_unknown: {
    status: 404,
    message: 'Promotion {promo_id} does not exist on account {account_id}.',
  },
  fan_unknown: { status: 404, message: 'User {fan_id} is not a fan of account {account_id}.' },
  user_unknown: { status: 404, message: 'User {user} does not exist.' },
  user_list_unknown: {
    status: 404,
    message: 'User list {list_id} does not exist on account {account_id}.',
  },
  user_list_protected: {
    status: 403,
    message: 'User list {list_id} is managed by the platform and cannot be {verb}.',
  },
  user_list_member_unknown: {
    status: 404,
    message: 'User {user_id} is not in user list {list_id}.',
  },
  message_unknown: {
    status: 404,
    message: 'Message {message_id} does not exist on account {account_id}.',
  },
  mass_message_unknown: {
    status: 404,
    message: 'Mass message {message_id} does not exist on account {account_id}.',
  },
  mass_message_final: {
    status: 403,
    message: 'Mass message {message_id} is {state} and can no longer be {verb}.',
  },
  schedule_item_unknown: {
    status: 404,
    message:
      'Account {account_id} has no scheduled item with the id {item_id}. item_id is the id ' +
      'of the item, not of its post or message.',
  },
  chat_unknown: {
    status: 404,
    message:
      "Chat {chat_id} does not exist on account {account_id}. chat_id is the chat's id, not the " +
      "fan's.",
  },
  chat_with_unknown: {
    status: 404,
    message:
      "Account {account_id} has no chat with user {user_id}. user_id is the fan's id, not the " +
      "chat's.",
  },
  chat_without_fan: {
    status: 400,
    message:
      'The chat of account {account_id} with user {user_id} has no message from the user, so ' +
      'it cannot be marked as unread.',
  },
  message_of_fan: {
    status: 403,
    message: 'Message {message_id} was written by the fan and cannot be {verb}.',
  },
  message_bought: {
    status: 403,
    message: 'User {user_id} has bought message {message_id}, so it cannot be unsent.',
  },
  unsend_over: {
    status: 403,
    message: 'Message {message_id} was sent more than 24 hours ago and cannot be unsent.',
  },
  fan_closed: {
    status: 403,
    message:
      'User {user_id} has closed their profile, so account {account_id} cannot write to them.',
  },
  fan_deleted: {
    status: 403,
    message: 'User {user_id} has deleted their profile, so account {account_id} can only read it.',
  },
  fan_blocked: {
    status: 403,
    message: 'Account {account_id} has blocked user {user_id}, so it cannot write to them.',
  },
  media_link_invalid: {
    status: 403,
    message:
      'The media link is incomplete or was changed. Request the item again to get a new link.',
    source: 'reference §7',
  },
  media_link_expired: {
    status: 403,
    message: 'The media link has expired. Request the item again to get a new link.',
    source: 'reference §7',
  },
  media_account_gone: {
    status: 404,
    message: 'The account of this media link was disconnected or removed.',
    source: 'reference §7',
  },
  media_gone: { status: 404, message: 'The media of this link no longer exists.' },
  media_load_limit: {
    status: 429,
    message:
      'The account has already loaded the maximum of {limit} files in this minute. Try again in ' +
      'the next minute.',
    source: 'reference §8',
  },
  range_unsatisfiable: {
    status: 416,
    message: 'The range {range} is outside the file of {size} bytes.',
  },
  fault_injected: {
    status: 500,
    message: 'The sandbox returned status {status} because of a fault.',
  },
  upstream_refused: {
    status: 502,
    message: 'The platform refused the request.',
    source: 'reference §7',
  },
  memory_full: {
    status: 503,
    message: 'The sandbox has reached its memory limit of {limit} MB (--max-memory). {advice}',
  },
  worlds_full: {
    status: 503,
    message:
      'There are already {limit} isolated worlds (--max-worlds), and all were used within the ' +
      'last five minutes. Remove worlds that you no longer need (DELETE ' +
      '/_sandbox/worlds/{id}), or raise the limit.',
  },
  overlaid: { status: 500, message: '{text}' },
  internal_error: {
    status: 500,
    message:
      'The sandbox failed to handle the request. This is a bug in the sandbox. See the ' +
      'log of the sandbox.',
  },
} as const satisfies Record<string, CatalogueEntry>

/** Name of an error in the catalogue. */
export type ErrorCode = keyof typeof errorCatalogue
