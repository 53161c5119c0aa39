/** Made from docs/openapi.json by `npm run docs`. Not edited by hand. */
export interface paths {
    "/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Leads to the portal
         * @description No credential needed.
         */
        get: operations["get_"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        /**
         * A sign of life, which the client asks for at its start
         * @description No credential needed.
         */
        head: operations["head_"];
        patch?: never;
        trace?: never;
    };
    "/.well-known/oauth-authorization-server": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Where the client signs in
         * @description No credential needed.
         */
        get: operations["get_well_known_oauth_authorization_server"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/analytics/adoption": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * From invited to active: where the roll-out stands now
         * @description `invited` are the people who may sign in, without the administrator that the gateway made for itself. `connected` are those of them who ever made a call, whose client has asked for the models, or who are signed in at a terminal; `active` those with a call in the last seven days, to the quarter of an hour. A range is not part of the question: the people are those of now. `GET /admin/users` takes a stage as `adoption`. `team_id` is the team when it is about one.
         *
         *     A session token or an identity-provider token of an administrator. A person with the grant `billing:read` or `team:lead` may call it too. A team lead gets what belongs to the own team.
         */
        get: operations["get_admin_analytics_adoption"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/analytics/explore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One measure by team, person, model, endpoint or time
         * @description `value` is in US dollars, calls, tokens, a share of 1 or milliseconds (`unit`); null where there is nothing to tell, as a cache share without input. `rows` has the `top` highest, `others` all further groups as one, and `total` everything: of shares and percentiles those of all calls. With `time` the names are the moments in which buckets begin. Percentiles go with `model` and `endpoint`, by which they are kept; in zones whose hours begin inside those of UTC `time` has no output tokens and no filter by person.
         *
         *     A session token or an identity-provider token of an administrator. A person with the grant `billing:read` or `team:lead` may call it too. A team lead gets what belongs to the own team.
         */
        get: operations["get_admin_analytics_explore"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/analytics/org/activity": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Active people over time and calls by hour of the week
         * @description Somebody is `active` with one call, `new` in the bucket of the first call that the gateway ever recorded of them, `returning` otherwise. `heatmap` has every hour of the week in the zone; weekday 0 is Monday.
         *
         *     A session token or an identity-provider token of an administrator. A person with the grant `billing:read` or `team:lead` may call it too. A team lead gets what belongs to the own team.
         */
        get: operations["get_admin_analytics_org_activity"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/analytics/org/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The filtered spend as CSV
         * @description One line for every call that the hosted service served, oldest first (RFC 4180, UTF-8, a header line, times in UTC). A cell that a spreadsheet would take for a formula begins with an apostrophe. The file is made while it is read; one that breaks off was not finished.
         *
         *     A session token or an identity-provider token of an administrator. A person with the grant `billing:read` or `team:lead` may call it too. A team lead gets what belongs to the own team.
         */
        get: operations["get_admin_analytics_org_export"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/analytics/org/models": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Model mix, latency, cache hits, tokens and endpoints
         * @description Percentiles are over answered calls and right to 1 %; first-token times exist for streams only, else they are null. `share` is of the requests. Beyond the 1,000 dearest models the sums of all others stand together as `(other)`. `hit_rate` is of the `prompt_tokens`, read from the cache or not; without any it is 0 and says nothing. `throttles` and `failovers` count at the endpoint that was tried, not at the one that served in the end.
         *
         *     A session token or an identity-provider token of an administrator. A person with the grant `billing:read` or `team:lead` may call it too. A team lead gets what belongs to the own team.
         */
        get: operations["get_admin_analytics_org_models"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/analytics/org/overview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Key figures of the organization and the values one can filter by
         * @description `previous` has the same figures for as many days right before, the last of them up to the same time with `until`. `requests` counts every call of a caller, `errors` those that failed; capability probes count in the spend only. `filters` lists whatever has a record, of models 1,000 at most. `failures` counts rejected and failed requests by `reason.kind`, most frequent first. It also counts requests whose client disconnected, which `errors` leaves out when they were served.
         *
         *     A session token or an identity-provider token of an administrator. A person with the grant `billing:read` or `team:lead` may call it too. A team lead gets what belongs to the own team.
         */
        get: operations["get_admin_analytics_org_overview"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/analytics/org/spend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Spend over time, by team, person and model, with budgets and a forecast
         * @description `bucket` is the moment in which an hour, day or week of the zone begins. `by_model` has the 1,000 dearest and the sums of all others as `(other)`. `budgets` are where they stand now, of the teams and people that the filter names. The forecast is a line through the complete days of the range (least squares) with the band that holds 80 %; it needs three days and goes 7 days ahead and to the end of the month. `month_end_usd` is what is spent in that month already and what the line adds.
         *
         *     A session token or an identity-provider token of an administrator. A person with the grant `billing:read` or `team:lead` may call it too. A team lead gets what belongs to the own team.
         */
        get: operations["get_admin_analytics_org_spend"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/analytics/org/tools": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Tool servers, top tools and totals
         * @description A tool named `mcp__<server>__<tool>` belongs to that server; others have none. Each call counts once, from the answer that made it. `top_tools` has the 100 most called.
         *
         *     A session token or an identity-provider token of an administrator. A person with the grant `billing:read` or `team:lead` may call it too. A team lead gets what belongs to the own team.
         */
        get: operations["get_admin_analytics_org_tools"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/analytics/reconciliation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Compare the cloud bill with what the gateway counted
         * @description The body is a report of the bill as CSV, as it is or packed with gzip, up to 1 GiB unpacked: a Cost and Usage Report of the old form or of CUR 2.0, or the file that Cost Explorer downloads by day and grouped by Service. It is read as it comes and nothing of it is kept. Days are of UTC. `difference_usd` is what was billed (unblended, before discounts, credits and taxes) less what the gateway counted; up to 0.5 % is a `match`. `causes` explain it in dollars, and `unexplained_usd` is what they do not. `left_out` is no part of the difference. `tokens.billed` is null where the report tells no amounts.
         *
         *     A session token or an identity-provider token of an administrator. A person with the grant `billing:read` may call it too.
         */
        post: operations["post_admin_analytics_reconciliation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/analytics/unit-price": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Cost of a person on an active day, beside the published marks
         * @description `spend_usd` of people, divided by their active days: a day of the zone counts for a person who had at least one call on it, also one that failed. What no person spent (keys of nobody, and the probes of the gateway) is `other_spend_usd` and no part of it. `usd_per_person_day` is null without an active day. `previous` has the same for as many days right before. `marks` are published figures of the coding client in enterprises.
         *
         *     A session token or an identity-provider token of an administrator. A person with the grant `billing:read` or `team:lead` may call it too. A team lead gets what belongs to the own team.
         */
        get: operations["get_admin_analytics_unit_price"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/analytics/what-if": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What the range would have cost with another model
         * @description `share` percent of the calls to `from_model` are priced as calls to `to_model`, with the tokens that were recorded and the prices in force now. Without names, the model with the highest spend is compared with the next cheaper family. `spend_usd` is everything that the filter takes, `parts` all calls of the model by what makes a price. `what_if` is null when the range has no call to a model (`reason` no_calls) or no cheaper model has a price (no_other_model). `choices` has the models of the range and those with a price.
         *
         *     A session token or an identity-provider token of an administrator. A person with the grant `billing:read` or `team:lead` may call it too. A team lead gets what belongs to the own team.
         */
        get: operations["get_admin_analytics_what_if"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the audit trail
         * @description Newest first. `actor`, `action` and `target` match exactly, `q` looks in all three; `from` is included, `to` is not. `target_name` is what a person, team, key, endpoint or identity provider is called now or was last. `sort`: at.
         *
         *     A session token or an identity-provider token of an administrator. A person with the grant `audit:read` may call it too.
         */
        get: operations["get_admin_audit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/budget-requests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what people asked for
         * @description The newest first; `sort`: created_at, amount_usd. `q` looks in names, addresses and reasons. A request stays open when its period ends.
         *
         *     A session token or an identity-provider token of an administrator. A person with the grant `team:lead` may call it too. A team lead gets what belongs to the own team.
         */
        get: operations["get_admin_budget_requests"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/budget-requests/{budget_request_id}/approve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Approve a request
         * @description `top_up` adds the amount until the running period ends, `raise` for good: the limit without top-ups and the amount become the own budget of whoever it is about, with the period and the policy that hold now. Without `amount_usd` it is what was asked for. A lead decides what others in the team ask for their own budgets. A lead gives a top-up.
         *
         *     A session token or an identity-provider token of an administrator. A person with the grant `team:lead` may call it too. A team lead gets what belongs to the own team.
         */
        post: operations["post_admin_budget_requests_budget_request_id_approve"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/budget-requests/{budget_request_id}/decline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Decline a request
         * @description A lead decides what others in the team ask for their own budgets.
         *
         *     A session token or an identity-provider token of an administrator. A person with the grant `team:lead` may call it too. A team lead gets what belongs to the own team.
         */
        post: operations["post_admin_budget_requests_budget_request_id_decline"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/budgets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List every budget
         * @description `q` looks in names, `ids` are those of people and teams. `sort`: percent (highest first by default), name, spend_usd, limit_usd, updated_at.
         *
         *     A session token or an identity-provider token of an administrator. A person with the grant `billing:read` may call it too.
         */
        get: operations["get_admin_budgets"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/budgets/simulate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Try a budget against what was spent
         * @description Changes nothing. `user` and `team` are about one subject, `members` about the people of a team without a budget of their own, `default` about everybody without one and without a limit of their team; suspended people are left out. `finished` has up to three periods before the running one, the last first, as far as the sums by day reach; `stopped_on` of a subject has one entry for each of them, the day on which its spend had reached where calls stop. `subjects` has the 100 worst of `total`.
         *
         *     A session token or an identity-provider token of an administrator.
         */
        post: operations["post_admin_budgets_simulate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/budgets/top-ups/{top_up_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Take a top-up back
         * @description What is spent stays spent: a budget that is above its limit then stops calls as its rules say.
         *
         *     A session token or an identity-provider token of an administrator.
         */
        delete: operations["delete_admin_budgets_top_ups_top_up_id"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/capabilities": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what profiles are known to take
         * @description As this instance knows it: by probes, from traffic, or by an override. `beta_name` may also be the path of a body field. `q` looks in profiles and betas. `sort`: profile_id (default), beta_name.
         *
         *     A session token or an identity-provider token of an administrator. A person with the grant `ops:operate` may call it too.
         */
        get: operations["get_admin_capabilities"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/capabilities/overrides": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Decide whether a profile takes a beta
         * @description The decision has no end and survives restarts. `causeway betas override` calls this.
         *
         *     A session token or an identity-provider token of an administrator.
         */
        put: operations["put_admin_capabilities_overrides"];
        post?: never;
        /**
         * Take back a decision about a beta
         * @description Probes and traffic decide again. The body names the pair.
         *
         *     A session token or an identity-provider token of an administrator.
         */
        delete: operations["delete_admin_capabilities_overrides"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/endpoints": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List endpoints with their health and statistics
         * @description `q` looks in names, regions and roles. `sort`: priority (default), name, created_at. `stats` counts the calls of the last hour on all instances that run; those of other instances than the answering one are up to 5 seconds old.
         *
         *     A session token or an identity-provider token of an administrator. A person with the grant `ops:operate` may call it too.
         */
        get: operations["get_admin_endpoints"];
        put?: never;
        /**
         * Add an endpoint
         * @description The first endpoint becomes the default. `inference_profile_arn` is deprecated: use the AIP overrides instead. With it the answer carries `Deprecation` and `Sunset`.
         *
         *     A session token or an identity-provider token of an administrator.
         */
        post: operations["post_admin_endpoints"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/endpoints/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an endpoint
         * @description A session token or an identity-provider token of an administrator. A person with the grant `ops:operate` may call it too.
         */
        get: operations["get_admin_endpoints_id"];
        /**
         * Change an endpoint
         * @description Any subset of the fields. An omitted field keeps its value; null clears an optional one.
         *
         *     A session token or an identity-provider token of an administrator.
         */
        put: operations["put_admin_endpoints_id"];
        post?: never;
        /**
         * Delete an endpoint
         * @description Teams that had no other endpoint assigned use the default one from then on. `GET /admin/endpoints/{id}/drain` lists them beforehand.
         *
         *     A session token or an identity-provider token of an administrator.
         */
        delete: operations["delete_admin_endpoints_id"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/endpoints/{id}/aip-overrides": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the AIP overrides of an endpoint
         * @description A session token or an identity-provider token of an administrator.
         */
        get: operations["get_admin_endpoints_id_aip_overrides"];
        put?: never;
        /**
         * Set the AIP override of a model
         * @description An override of the same model is replaced. `warnings` says when the profile belongs to another model. The endpoint is checked again within seconds.
         *
         *     A session token or an identity-provider token of an administrator.
         */
        post: operations["post_admin_endpoints_id_aip_overrides"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/endpoints/{id}/aip-overrides/{model_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove the AIP override of a model
         * @description `model_id` is URL-encoded. The model is then invoked through the cross-region profile again.
         *
         *     A session token or an identity-provider token of an administrator.
         */
        delete: operations["delete_admin_endpoints_id_aip_overrides_model_id"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/endpoints/{id}/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Check an endpoint now
         * @description Runs the health check and tries every permission. Invoking costs two single-token calls on the cheapest model on offer; they are recorded like every call.
         *
         *     A session token or an identity-provider token of an administrator. A person with the grant `ops:operate` may call it too.
         */
        post: operations["post_admin_endpoints_id_check"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/endpoints/{id}/default": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Make an endpoint the default
         * @description A session token or an identity-provider token of an administrator.
         */
        put: operations["put_admin_endpoints_id_default"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/endpoints/{id}/drain": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Preview of disabling or deleting an endpoint
         * @description Changes nothing. `PUT /admin/endpoints/{id}` with `{"enabled": false}` takes it out: new calls go elsewhere within 5 seconds on every instance, and running ones end as they would have.
         *
         *     A session token or an identity-provider token of an administrator. A person with the grant `ops:operate` may call it too.
         */
        get: operations["get_admin_endpoints_id_drain"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/endpoints/{id}/models": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the inference profiles that this endpoint can invoke
         * @description System profiles of the routing prefix, then the application profiles of the overrides.
         *
         *     A session token or an identity-provider token of an administrator. A person with the grant `ops:operate` may call it too.
         */
        get: operations["get_admin_endpoints_id_models"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/endpoints/{id}/quotas": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the endpoint's service quotas
         * @description Kept for 5 minutes. Without the permission to list them, `data` is empty and the reason is given.
         *
         *     A session token or an identity-provider token of an administrator. A person with the grant `ops:operate` may call it too.
         */
        get: operations["get_admin_endpoints_id_quotas"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Watch requests, health, budgets and settings
         * @description Server-sent events: `request` (a call as in the request log, with its `round`), `health` (an endpoint turned), `budget` (a notification, as webhooks get it), `settings` (an entry of the audit trail without its values; for administrators alone). At most 10 a second; `left_out` says how many did not fit. A comment comes at least every 15 seconds. The stream ends when the caller may no longer watch.
         *
         *     A session token or an identity-provider token of an administrator. A person with the grant `ops:operate` may call it too.
         */
        get: operations["get_admin_events"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/health/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One hour of the endpoints, minute by minute
         * @description The 60 minutes up to now, or those that end 15 minutes after `at`. From the records of calls: minutes without a call are left out. `errors` counts answers from 500 on, `throttled` those with 429.
         *
         *     A session token or an identity-provider token of an administrator. A person with the grant `ops:operate` may call it too.
         */
        get: operations["get_admin_health_history"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/idps": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List identity providers
         * @description `q` looks in names and issuers. `sort`: created_at (default), name.
         *
         *     A session token or an identity-provider token of an administrator.
         */
        get: operations["get_admin_idps"];
        put?: never;
        /**
         * Add an identity provider
         * @description A session token or an identity-provider token of an administrator.
         */
        post: operations["post_admin_idps"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/idps/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Try an identity provider before saving it
         * @description Fetches the discovery document and the signing keys. With a `token` and an `audience` it also shows which claims the gateway would read and whom they name. Nothing is stored.
         *
         *     A session token or an identity-provider token of an administrator.
         */
        post: operations["post_admin_idps_test"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/idps/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an identity provider
         * @description A session token or an identity-provider token of an administrator.
         */
        get: operations["get_admin_idps_id"];
        put?: never;
        post?: never;
        /**
         * Delete an identity provider
         * @description Its tokens are refused at once here and within 5 seconds everywhere. Users stay.
         *
         *     A session token or an identity-provider token of an administrator.
         */
        delete: operations["delete_admin_idps_id"];
        options?: never;
        head?: never;
        /**
         * Change an identity provider
         * @description An omitted field keeps its value; null clears it. A new `issuer_url` needs the `client_secret` again, or null.
         *
         *     A session token or an identity-provider token of an administrator.
         */
        patch: operations["patch_admin_idps_id"];
        trace?: never;
    };
    "/admin/idps/{id}/scim": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read how an identity provider provisions
         * @description A session token or an identity-provider token of an administrator.
         */
        get: operations["get_admin_idps_id_scim"];
        /**
         * Decide which group of an identity provider makes administrators
         * @description Members of the named group become administrators at once; those of the one before lose the role.
         *
         *     A session token or an identity-provider token of an administrator.
         */
        put: operations["put_admin_idps_id_scim"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/idps/{id}/scim-tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the provisioning tokens of an identity provider
         * @description `q` looks in names and prefixes. `sort`: created_at (default), name.
         *
         *     A session token or an identity-provider token of an administrator.
         */
        get: operations["get_admin_idps_id_scim_tokens"];
        put?: never;
        /**
         * Make a provisioning token for an identity provider
         * @description The token is shown in this answer and never again. It opens `/scim/v2` and nothing else.
         *
         *     A session token or an identity-provider token of an administrator.
         */
        post: operations["post_admin_idps_id_scim_tokens"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/idps/{id}/scim-tokens/{token_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete a provisioning token
         * @description It is refused at once, on every instance.
         *
         *     A session token or an identity-provider token of an administrator.
         */
        delete: operations["delete_admin_idps_id_scim_tokens_token_id"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List virtual keys
         * @description `q` looks in names and prefixes. `sort`: created_at (newest first by default), name, last_used_at, expires_at.
         *
         *     A session token or an identity-provider token of an administrator. A person with the grant `audit:read` or `team:lead` may call it too. A team lead gets what belongs to the own team.
         */
        get: operations["get_admin_keys"];
        put?: never;
        /**
         * Create a virtual key
         * @description The answer is the only one that ever carries the key itself.
         *
         *     A session token or an identity-provider token of an administrator.
         */
        post: operations["post_admin_keys"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/keys/{key_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a virtual key, and from where it is used
         * @description The 100 addresses of callers that were seen last, latest first. A new one is there after some seconds, a later use of it after minutes. They are kept as long as records of calls.
         *
         *     A session token or an identity-provider token of an administrator. A person with the grant `audit:read` may call it too.
         */
        get: operations["get_admin_keys_key_id"];
        put?: never;
        post?: never;
        /**
         * Delete a revoked key
         * @description A session token or an identity-provider token of an administrator.
         */
        delete: operations["delete_admin_keys_key_id"];
        options?: never;
        head?: never;
        /**
         * Change a virtual key
         * @description An omitted field keeps its value; null clears it.
         *
         *     A session token or an identity-provider token of an administrator.
         */
        patch: operations["patch_admin_keys_key_id"];
        trace?: never;
    };
    "/admin/keys/{key_id}/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Revoke a virtual key
         * @description At once here, within 5 seconds on every other instance. Revoking again changes nothing.
         *
         *     A session token or an identity-provider token of an administrator.
         */
        post: operations["post_admin_keys_key_id_revoke"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/keys/{key_id}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replace a virtual key by a new one
         * @description The new key takes over name, owner, limits and expiry. The old one works for `grace_seconds` more (0 to 604800, default 0).
         *
         *     A session token or an identity-provider token of an administrator.
         */
        post: operations["post_admin_keys_key_id_rotate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/logs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The newest lines of the log
         * @description Of the instance that answers, which `instance_id` names: as many of its last lines as half a megabyte of memory holds, oldest first, without credentials. `level` is the least one; `q` looks in the text. With `after` only what is new since the answers that the cursors came with: who asks again and again through a load balancer sees every instance. Lines of `debug` and `trace`, which may hold what people write, are never among them.
         *
         *     A session token or an identity-provider token of an administrator. A person with the grant `ops:operate` may call it too.
         */
        get: operations["get_admin_logs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/managed-settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the settings document of everybody
         * @description A session token or an identity-provider token of an administrator.
         */
        get: operations["get_admin_managed_settings"];
        /**
         * Replace the settings document of everybody
         * @description Any keys that the client knows. The team document is laid over that of everybody; lists of what is denied add up.
         *
         *     A session token or an identity-provider token of an administrator.
         */
        put: operations["put_admin_managed_settings"];
        post?: never;
        /**
         * Delete the settings document of everybody
         * @description A session token or an identity-provider token of an administrator.
         */
        delete: operations["delete_admin_managed_settings"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/model-mappings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List model mappings
         * @description `q` looks in both ids and in names. `sort`: vendor_prefix (default), created_at.
         *
         *     A session token or an identity-provider token of an administrator. A person with the grant `ops:operate` may call it too.
         */
        get: operations["get_admin_model_mappings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/model-mappings/{vendor_prefix}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Map a requested model id to a hosted model
         * @description `vendor_prefix` is the exact requested id, URL-encoded. An existing mapping is replaced.
         *
         *     A session token or an identity-provider token of an administrator.
         */
        put: operations["put_admin_model_mappings_vendor_prefix"];
        post?: never;
        /**
         * Remove a model mapping
         * @description The id then goes to discovery. Built-in mappings come back at the next start.
         *
         *     A session token or an identity-provider token of an administrator.
         */
        delete: operations["delete_admin_model_mappings_vendor_prefix"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/models/resolve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Explain what a model id means here
         * @description On one endpoint, or on every enabled one. Nothing is stored and no model is invoked.
         *
         *     A session token or an identity-provider token of an administrator. A person with the grant `ops:operate` may call it too.
         */
        post: operations["post_admin_models_resolve"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/notifications/activate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make the draft the active destination
         * @description Only after a successful test of this very draft. What waits for delivery goes to it at once.
         *
         *     A session token or an identity-provider token of an administrator.
         */
        post: operations["post_admin_notifications_activate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/notifications/categories": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Choose which events are delivered
         * @description On the active destination. An omitted category stays as it is.
         *
         *     A session token or an identity-provider token of an administrator.
         */
        put: operations["put_admin_notifications_categories"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/notifications/config": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the notification destination
         * @description The active and the draft destination, the fallback from BUDGET_NOTIFICATION_URL, and the newest 1,000 attempts. The path of a webhook may be a secret: of the fallback and of the attempts only the origin is told, and to whoever is no administrator of all of them.
         *
         *     A session token or an identity-provider token of an administrator. A person with the grant `ops:operate` may call it too.
         */
        get: operations["get_admin_notifications_config"];
        /**
         * Save the draft destination
         * @description Active delivery goes on as before. Omitted `categories` and an omitted `secret` stay as in the draft, or else as in the active destination; a secret goes to another host only when it is sent again, and null removes it.
         *
         *     A session token or an identity-provider token of an administrator.
         */
        put: operations["put_admin_notifications_config"];
        post?: never;
        /**
         * Deactivate the destination
         * @description Events then go to BUDGET_NOTIFICATION_URL if it is set, else to nobody.
         *
         *     A session token or an identity-provider token of an administrator.
         */
        delete: operations["delete_admin_notifications_config"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/notifications/digest": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the weekly digest
         * @description What would be sent for the last whole week, Monday to Sunday of the setting `digest_time_zone`; nothing is sent. The sums are those of the analytics for the same days. `budgets` and `expiring_keys` are as of now. `next_at` is the next Monday 08:00 of the zone, on which it is sent if `is_on`.
         *
         *     A session token or an identity-provider token of an administrator.
         */
        get: operations["get_admin_notifications_digest"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/notifications/draft": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Discard the draft
         * @description A session token or an identity-provider token of an administrator.
         */
        delete: operations["delete_admin_notifications_draft"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/notifications/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Deliver a synthetic event to the draft
         * @description One attempt of at most 10 seconds. A failure is an answer too: see `success`.
         *
         *     A session token or an identity-provider token of an administrator. A person with the grant `ops:operate` may call it too.
         */
        post: operations["post_admin_notifications_test"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/pricing": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the prices in force
         * @description One row for each model and scope, from the source that wins: admin, then price_list, then seed. Models without a price come first, with `source` null. `q` looks in model ids. `sort`: unpriced_first (default), model_id, updated_at.
         *
         *     A session token or an identity-provider token of an administrator. A person with the grant `billing:read` may call it too.
         */
        get: operations["get_admin_pricing"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/pricing/refresh": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Read the price list now
         * @description One file for each region in which an enabled endpoint lies. A file that cannot be read changes nothing and stops no other; `regions` says what came of each, `error` names those that failed.
         *
         *     A session token or an identity-provider token of an administrator.
         */
        post: operations["post_admin_pricing_refresh"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/pricing/{model_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Set the price of a model
         * @description US dollars per million tokens, used as given and before every other source. `scope` is global, geo, us-gov or both (default: global and geo). In GovCloud the price of us-gov holds, else that of geo. Calls that are already recorded keep their cost.
         *
         *     A session token or an identity-provider token of an administrator.
         */
        put: operations["put_admin_pricing_model_id"];
        post?: never;
        /**
         * Remove an administrator's price
         * @description The price list or the built-in price is in force again. Without `scope` every price that an administrator has set for the model goes.
         *
         *     A session token or an identity-provider token of an administrator.
         */
        delete: operations["delete_admin_pricing_model_id"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/requests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Search the request log
         * @description Newest first. `q` takes words such as `status:error model:opus cost>1`: `status`, `model`, `user`, `team`, `key`, `endpoint`, `session`, `agent`, `tool`, `error`, `flag` with a colon, and `cost` (USD), `duration` (ms), `tokens` with `>`, `<`, `>=` or `<=`; a word alone is a request id or a part of a model id. All of them must hold. A call of several rounds is found by what is shown of it: the status, error and endpoint of its last round, the cost, tokens, duration, tools and flags of all. Names are parts of names, in any letter case. A parameter that is a name (`model`, `endpoint`, `tool` and, for administrators, `user`, `team`, `key`) may have `=` before it and is then the whole name as it is written: `=claude-opus-5` leaves out `claude-opus-5-5`; after the sign an id is taken too, since several keys may have one name. `from` is included, `to` is not. Prompts and answers are not stored.
         *
         *     A session token or an identity-provider token of an administrator. A person with the grant `ops:operate` or `team:lead` may call it too. A team lead gets what belongs to the own team.
         */
        get: operations["get_admin_requests"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/requests/{request_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One request with routing, attempts, price and, if it failed, the reason
         * @description A request that needed several hosted calls (web search) is one call here: sums over all of them, and each under `rounds`.
         *
         *     A session token or an identity-provider token of an administrator. A person with the grant `ops:operate` or `team:lead` may call it too. A team lead gets what belongs to the own team.
         */
        get: operations["get_admin_requests_request_id"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/security": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * How safe the gateway is set up, what it keeps and whom it calls
         * @description Each of `checks` is judged anew from the configuration and the settings in force on the answering instance, those to act on first; `settings` are the exact names of variables and settings that decide it, `fix` says what to do next. What only the database knows is `unknown` while it is away. `kept` is what is held about people, with the times in force. `reached` are the addresses that the gateway calls, by their origins alone.
         *
         *     A session token or an identity-provider token of an administrator. A person with the grant `audit:read` may call it too.
         */
        get: operations["get_admin_security"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Cost per client session with its tree of agents
         * @description Sessions and agents are as the client names them in its headers. `agents` stand in the order of the tree, each after the one that started it, with its `depth`; the agent without an id is the conversation itself. `q` is a session id; `user` and `team` are parts of names, `(none)` those without one; `from` (included) and `to` (not) are about the first call. `sort`: started_at (newest first by default), last_at, cost_usd.
         *
         *     A session token or an identity-provider token of an administrator.
         */
        get: operations["get_admin_sessions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read all settings
         * @description A session token or an identity-provider token of an administrator.
         */
        get: operations["get_admin_settings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/settings/{key}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Change a setting
         * @description In force here at once, on every other instance within 5 seconds. Keys: `virtual_keys_enabled`: When false only OIDC and admin password authentication work. `admin_login_enabled`: Enables the admin username and password login form. `session_token_ttl_hours`: Lifetime of session tokens in hours. `websearch_mode`: `enabled`, `disabled` or `global`. `websearch_price_usd`: What one web search costs in USD; charged with the call that made it. `capability_probe_aip`: Whether profiles behind AIP overrides are probed for betas. `default_budget`: The budget of users who have none of their own and no team member limit. `spend_retention_days`: Days that spend records are kept. `audit_retention_days`: Days that audit records are kept. `digest_time_zone`: IANA name of the time zone that the week of the weekly digest and its Monday morning are of. `unpriced_models`: `estimate` charges requests for a model without a price at the highest known rates of its family. `refuse` rejects them. `store_failure_messages`: Whether request records keep the message and the limit of a failure. When false, only the kind and the code are kept.
         *
         *     A session token or an identity-provider token of an administrator.
         */
        put: operations["put_admin_settings_key"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * How the gateway is
         * @description Instances report every 5 seconds; one that ended without saying so is `silent` for an hour. `loops` and the health of endpoints are those of the answering instance; their calls are those of all instances. While the database is away the answer holds what this instance knows by itself.
         *
         *     A session token or an identity-provider token of an administrator. A person with the grant `ops:operate` may call it too.
         */
        get: operations["get_admin_status"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/teams": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List teams
         * @description `q` looks in names. `sort`: name (default), created_at.
         *
         *     A session token or an identity-provider token of an administrator. A person with the grant `audit:read` may call it too.
         */
        get: operations["get_admin_teams"];
        put?: never;
        /**
         * Create a team
         * @description A session token or an identity-provider token of an administrator.
         */
        post: operations["post_admin_teams"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/teams/{id}/managed-settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the settings document of a team
         * @description A session token or an identity-provider token of an administrator.
         */
        get: operations["get_admin_teams_id_managed_settings"];
        /**
         * Replace the settings document of a team
         * @description Any keys that the client knows. The team document is laid over that of everybody; lists of what is denied add up.
         *
         *     A session token or an identity-provider token of an administrator.
         */
        put: operations["put_admin_teams_id_managed_settings"];
        post?: never;
        /**
         * Delete the settings document of a team
         * @description A session token or an identity-provider token of an administrator.
         */
        delete: operations["delete_admin_teams_id_managed_settings"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/teams/{team_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a team
         * @description A session token or an identity-provider token of an administrator. A person with the grant `team:lead` may call it too. A team lead gets what belongs to the own team.
         */
        get: operations["get_admin_teams_team_id"];
        put?: never;
        post?: never;
        /**
         * Delete a team
         * @description Its members stay, without a team. Keys that belonged to the team alone are revoked.
         *
         *     A session token or an identity-provider token of an administrator.
         */
        delete: operations["delete_admin_teams_team_id"];
        options?: never;
        head?: never;
        /**
         * Rename a team
         * @description A session token or an identity-provider token of an administrator.
         */
        patch: operations["patch_admin_teams_team_id"];
        trace?: never;
    };
    "/admin/teams/{team_id}/budget": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the budget of a team
         * @description A session token or an identity-provider token of an administrator. A person with the grant `team:lead` may call it too. A team lead gets what belongs to the own team.
         */
        get: operations["get_admin_teams_team_id_budget"];
        /**
         * Set the budget of a team
         * @description What was spent before in the running period counts.
         *
         *     A session token or an identity-provider token of an administrator.
         */
        put: operations["put_admin_teams_team_id_budget"];
        post?: never;
        /**
         * Remove the budget of a team
         * @description A session token or an identity-provider token of an administrator.
         */
        delete: operations["delete_admin_teams_team_id_budget"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/teams/{team_id}/budget/top-ups": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what was added to the budget of a team
         * @description Also what has ended. `sort`: created_at (newest first by default), ends_at, amount_usd.
         *
         *     A session token or an identity-provider token of an administrator.
         */
        get: operations["get_admin_teams_team_id_budget_top_ups"];
        put?: never;
        /**
         * Add to the budget of a team until its period ends
         * @description The limit is higher by the amount for the rest of the running period, on whichever terms hold then; rules, percentages and headers go by the sum. Nobody has to take it back.
         *
         *     A session token or an identity-provider token of an administrator.
         */
        post: operations["post_admin_teams_team_id_budget_top_ups"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/teams/{team_id}/endpoints": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the endpoints of a team and its routing strategy
         * @description Without an assignment the list is empty, and the team uses the default endpoint.
         *
         *     A session token or an identity-provider token of an administrator.
         */
        get: operations["get_admin_teams_team_id_endpoints"];
        /**
         * Assign endpoints to a team
         * @description Replaces the whole assignment; an empty list removes it. The priority here overrides the priority of the endpoint.
         *
         *     A session token or an identity-provider token of an administrator.
         */
        put: operations["put_admin_teams_team_id_endpoints"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/teams/{team_id}/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the members of a team
         * @description `q` looks in subjects and e-mail addresses. `sort`: subject (default), created_at, last_seen_at.
         *
         *     A session token or an identity-provider token of an administrator. A person with the grant `team:lead` may call it too. A team lead gets what belongs to the own team.
         */
        get: operations["get_admin_teams_team_id_members"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/usage/recount": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Count again what charts left out
         * @description Records that the database refused in the sums of charts, and days that it refused to put together, are tried again. What is still refused is set aside again. Each record is in the sums once, however often this is called.
         *
         *     A session token or an identity-provider token of an administrator.
         */
        post: operations["post_admin_usage_recount"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List users
         * @description `q` looks in subjects and e-mail addresses. `sort`: subject (default), created_at, last_seen_at.
         *
         *     A session token or an identity-provider token of an administrator. A person with the grant `audit:read` may call it too.
         */
        get: operations["get_admin_users"];
        put?: never;
        /**
         * Create a user
         * @description The user is bound to an identity at the first sign-in. Subjects with an @ are kept in lower case. `role` defaults to member, `grants` and `team_id` to none.
         *
         *     A session token or an identity-provider token of an administrator.
         */
        post: operations["post_admin_users"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/users/{user_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a user
         * @description A session token or an identity-provider token of an administrator. A person with the grant `audit:read` may call it too.
         */
        get: operations["get_admin_users_user_id"];
        put?: never;
        post?: never;
        /**
         * Delete a user
         * @description Keys and budget of the user go too; spend records stay.
         *
         *     A session token or an identity-provider token of an administrator.
         */
        delete: operations["delete_admin_users_user_id"];
        options?: never;
        head?: never;
        /**
         * Change a user
         * @description A new role and a deactivation end the sessions of the user; a deactivation also stops the keys. `grants` is the whole list; it counts within 5 seconds on every instance, also for sessions that are open.
         *
         *     A session token or an identity-provider token of an administrator.
         */
        patch: operations["patch_admin_users_user_id"];
        trace?: never;
    };
    "/admin/users/{user_id}/budget": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the budget of a user
         * @description A session token or an identity-provider token of an administrator.
         */
        get: operations["get_admin_users_user_id_budget"];
        /**
         * Set the budget of a user
         * @description What was spent before in the running period counts.
         *
         *     A session token or an identity-provider token of an administrator.
         */
        put: operations["put_admin_users_user_id_budget"];
        post?: never;
        /**
         * Remove the budget of a user
         * @description A session token or an identity-provider token of an administrator.
         */
        delete: operations["delete_admin_users_user_id_budget"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/users/{user_id}/budget/top-ups": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what was added to the budget of a user
         * @description Also what has ended. `sort`: created_at (newest first by default), ends_at, amount_usd.
         *
         *     A session token or an identity-provider token of an administrator.
         */
        get: operations["get_admin_users_user_id_budget_top_ups"];
        put?: never;
        /**
         * Add to the budget of a user until its period ends
         * @description The limit is higher by the amount for the rest of the running period, on whichever terms hold then; rules, percentages and headers go by the sum. Nobody has to take it back.
         *
         *     A session token or an identity-provider token of an administrator.
         */
        post: operations["post_admin_users_user_id_budget_top_ups"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/users/{user_id}/identity": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Release a user from the pinned identity
         * @description The next sign-in through a provider binds the user again. Sessions of the user end; keys stay. For a move to another identity provider, or a new account at the same one.
         *
         *     A session token or an identity-provider token of an administrator.
         */
        delete: operations["delete_admin_users_user_id_identity"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/users/{user_id}/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Where a person is signed in
         * @description Sessions that can still be used. `last_used_at` is written at most every five minutes. `q` looks in clients and addresses. `sort`: last_used_at, created_at; the last used first without it.
         *
         *     A session token or an identity-provider token of an administrator. A person with the grant `audit:read` may call it too.
         */
        get: operations["get_admin_users_user_id_sessions"];
        put?: never;
        post?: never;
        /**
         * Sign a person out everywhere
         * @description Within 5 seconds on every instance. Virtual keys stay, and the person may sign in again.
         *
         *     A session token or an identity-provider token of an administrator.
         */
        delete: operations["delete_admin_users_user_id_sessions"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/users/{user_id}/sessions/{session_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Sign out one session of a person
         * @description A session token or an identity-provider token of an administrator.
         */
        delete: operations["delete_admin_users_user_id_sessions_session_id"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/users/{user_id}/team": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Put a user into a team
         * @description null takes the user out of the team. Keys of the user that were charged to the old team follow. Whoever leaves a team loses the grant `team:lead`.
         *
         *     A session token or an identity-provider token of an administrator.
         */
        put: operations["put_admin_users_user_id_team"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/warehouse": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show the state of the warehouse
         * @description What of the spend log is in Parquet files, of all instances together. `url` is where this instance writes. The last failure stays after a success.
         *
         *     A session token or an identity-provider token of an administrator. A person with the grant `billing:read` or `ops:operate` may call it too.
         */
        get: operations["get_admin_warehouse"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/warehouse/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Write to the warehouse now
         * @description Late records and complete days are written within about two minutes and not at the next full hour. It also ends the wait after a failure. Nothing is written twice. The current day is never written.
         *
         *     A session token or an identity-provider token of an administrator.
         */
        post: operations["post_admin_warehouse_export"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/websearch-mode": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the mode of web search
         * @description In the mode `global` with the provider, its key left out.
         *
         *     A session token or an identity-provider token of an administrator.
         */
        get: operations["get_admin_websearch_mode"];
        /**
         * Change the mode of web search
         * @description `enabled`: everybody chooses a provider. `disabled`: the tool is taken out of requests. `global`: one provider serves everybody; it is stored and used again when it is left out later. An omitted `api_key` keeps the stored one only while `provider_type` and `api_url` stay the same.
         *
         *     A session token or an identity-provider token of an administrator.
         */
        put: operations["put_admin_websearch_mode"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/websearch-mode/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Try the provider for everybody, stored or not yet
         * @description A session token or an identity-provider token of an administrator.
         */
        post: operations["post_admin_websearch_mode_test"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/hello": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        /**
         * A sign of life, which the client asks for at its start
         * @description No credential needed.
         */
        head: operations["head_api_hello"];
        patch?: never;
        trace?: never;
    };
    "/auth/cli/callback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The page on which a person compares the code and confirms
         * @description It signs the person in first. Opening it never confirms anything.
         *
         *     No credential needed.
         */
        get: operations["get_auth_cli_callback"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/cli/complete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Confirm or refuse a sign-in
         * @description Only from a signed-in browser: the portal cookie and `x-csrf-token` are needed, bearer tokens are refused.
         *
         *     A session token or an identity-provider token; virtual keys are refused.
         */
        post: operations["post_auth_cli_complete"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/cli/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Begin a sign-in: open `verification_url` in a browser, then poll with `session_code`
         * @description No credential needed.
         */
        get: operations["get_auth_cli_login"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/cli/poll": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Ask whether the sign-in was confirmed; gives the token once
         * @description No credential needed.
         */
        get: operations["get_auth_cli_poll"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/cli/request": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Look at a sign-in that waits for an answer
         * @description A session token or an identity-provider token; virtual keys are refused.
         */
        get: operations["get_auth_cli_request"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign in with the admin user name and password
         * @description No credential needed.
         */
        post: operations["post_auth_login"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End the presented session
         * @description For a browser that signed in through a provider with `logout: provider`, the answer names the address where the browser signs out there too.
         *
         *     A session token or an identity-provider token; virtual keys are refused.
         */
        post: operations["post_auth_logout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Who am I
         * @description With the portal cookie it also gives `csrf_token`, which writes with that cookie need as `x-csrf-token`, and how many seconds are left of the session.
         *
         *     Any valid credential; shows only what belongs to the caller.
         */
        get: operations["get_auth_me"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/providers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The ways to sign in
         * @description No credential needed.
         */
        get: operations["get_auth_providers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/setup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The setup script: signs in and merges the client settings; `--remove` undoes it
         * @description No credential needed.
         */
        get: operations["get_auth_setup"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/setup/token-script": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The login helper: prints a token, signing in through the browser when needed
         * @description No credential needed.
         */
        get: operations["get_auth_setup_token_script"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/sso/{idp_id}/start": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Begin a sign-in through an identity provider
         * @description No credential needed.
         */
        get: operations["get_auth_sso_idp_id_start"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/device": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The page on which a person compares the code and confirms
         * @description With `user_code` in the query the code is filled in; it is never confirmed by opening the page.
         *
         *     No credential needed.
         */
        get: operations["get_device"];
        put?: never;
        /**
         * Confirm or refuse a sign-in of the client
         * @description A session token or an identity-provider token; virtual keys are refused.
         */
        post: operations["post_device"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Liveness: the process answers
         * @description No credential needed.
         */
        get: operations["get_health"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        /**
         * Liveness: the process answers
         * @description No credential needed.
         */
        head: operations["head_health"];
        patch?: never;
        trace?: never;
    };
    "/inference-profiles": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List inference profiles in the hosted service's form
         * @description Any valid credential: virtual key, identity-provider token or session token.
         */
        get: operations["get_inference_profiles"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/inference-profiles/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One inference profile in the hosted service's form
         * @description Any valid credential: virtual key, identity-provider token or session token.
         */
        get: operations["get_inference_profiles_id"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/managed/settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The settings that apply to the caller
         * @description With an ETag; the client asks about once an hour.
         *
         *     Any valid credential; shows only what belongs to the caller.
         */
        get: operations["get_managed_settings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Who I am
         * @description Any valid credential; shows only what belongs to the caller.
         */
        get: operations["get_me"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/budget": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The budgets my calls are charged to
         * @description The person first, then the team that pays; empty when neither is limited.
         *
         *     Any valid credential; shows only what belongs to the caller.
         */
        get: operations["get_me_budget"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/budget/requests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What I asked for
         * @description The newest first; `sort`: created_at, amount_usd. `q` looks in reasons. A key that belongs to nobody has none.
         *
         *     Any valid credential; shows only what belongs to the caller.
         */
        get: operations["get_me_budget_requests"];
        put?: never;
        /**
         * Ask for more
         * @description For the budget that stands worst: one’s own terms, or the budget of the team when that is what stops calls. Administrators are told; one request may be open at a time.
         *
         *     A session token or an identity-provider token; virtual keys are refused.
         */
        post: operations["post_me_budget_requests"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/budget/requests/{budget_request_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Withdraw a request of mine
         * @description A session token or an identity-provider token; virtual keys are refused.
         */
        delete: operations["delete_me_budget_requests_budget_request_id"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/client": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Whether my client asks for the list of models
         * @description `models_listed_at` is when a client of mine last called `GET /v1/models`, with a key, a session or a token, on any instance; exact to half a minute. A key that belongs to nobody gives null.
         *
         *     Any valid credential; shows only what belongs to the caller.
         */
        get: operations["get_me_client"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List my virtual keys
         * @description A key that belongs to nobody has no other keys to show. `sort`: created_at (newest first by default), name, last_used_at, expires_at.
         *
         *     Any valid credential; shows only what belongs to the caller.
         */
        get: operations["get_me_keys"];
        put?: never;
        /**
         * Create a virtual key for myself
         * @description It belongs to the caller and the caller’s team. The answer is the only one that carries the key itself.
         *
         *     A session token or an identity-provider token; virtual keys are refused.
         */
        post: operations["post_me_keys"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/keys/{key_id}/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Revoke one of my virtual keys
         * @description A session token or an identity-provider token; virtual keys are refused.
         */
        post: operations["post_me_keys_key_id_revoke"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/keys/{key_id}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replace one of my virtual keys by a new one
         * @description The new key takes over every limit. The old one works for `grace_seconds` more (0 to 604800, default 0).
         *
         *     A session token or an identity-provider token; virtual keys are refused.
         */
        post: operations["post_me_keys_key_id_rotate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/requests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * My calls
         * @description Newest first. `q` takes words such as `status:error model:opus cost>1`: `status`, `model`, `user`, `team`, `key`, `endpoint`, `session`, `agent`, `tool`, `error`, `flag` with a colon, and `cost` (USD), `duration` (ms), `tokens` with `>`, `<`, `>=` or `<=`; a word alone is a request id or a part of a model id. All of them must hold. A call of several rounds is found by what is shown of it: the status, error and endpoint of its last round, the cost, tokens, duration, tools and flags of all. Names are parts of names, in any letter case. A parameter that is a name (`model`, `endpoint`, `tool` and, for administrators, `user`, `team`, `key`) may have `=` before it and is then the whole name as it is written: `=claude-opus-5` leaves out `claude-opus-5-5`; after the sign an id is taken too, since several keys may have one name. `from` is included, `to` is not.
         *
         *     Any valid credential; shows only what belongs to the caller.
         */
        get: operations["get_me_requests"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/requests/{request_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One of my requests with routing, attempts, price and, if it failed, the reason
         * @description Why a call was slow, was refused or cost what it did. The calls of others are not found.
         *
         *     Any valid credential; shows only what belongs to the caller.
         */
        get: operations["get_me_requests_request_id"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/search-provider": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * My search provider
         * @description With the mode that the administrators have set. No provider means DuckDuckGo.
         *
         *     Any valid credential; shows only what belongs to the caller.
         */
        get: operations["get_me_search_provider"];
        /**
         * Choose my search provider
         * @description An omitted `api_key` keeps the stored one only while `provider_type` and `api_url` stay the same. No answer carries the key.
         *
         *     A session token or an identity-provider token; virtual keys are refused.
         */
        put: operations["put_me_search_provider"];
        post?: never;
        /**
         * Go back to the default search provider
         * @description A session token or an identity-provider token; virtual keys are refused.
         */
        delete: operations["delete_me_search_provider"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/search-provider/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Try a search provider, stored or not yet
         * @description A session token or an identity-provider token; virtual keys are refused.
         */
        post: operations["post_me_search_provider_test"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Where I am signed in
         * @description Sessions that can still be used. `last_used_at` is written at most every five minutes. `q` looks in clients and addresses. `sort`: last_used_at, created_at; the last used first without it. A key that belongs to nobody has none.
         *
         *     Any valid credential; shows only what belongs to the caller.
         */
        get: operations["get_me_sessions"];
        put?: never;
        post?: never;
        /**
         * Sign out everywhere
         * @description The session that asks ends too. Virtual keys stay.
         *
         *     A session token or an identity-provider token; virtual keys are refused.
         */
        delete: operations["delete_me_sessions"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/sessions/{session_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Sign out one of my sessions
         * @description It stops within 5 seconds on every instance; a client that renews its sign-in has to sign in again.
         *
         *     A session token or an identity-provider token; virtual keys are refused.
         */
        delete: operations["delete_me_sessions_session_id"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What I used
         * @description Of the person behind the credential, over all their keys; of the key alone when it belongs to nobody. `previous` is as many days right before.
         *
         *     Any valid credential; shows only what belongs to the caller.
         */
        get: operations["get_me_usage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/views": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * My saved views
         * @description By name. They are nobody else’s; a key without a person has none.
         *
         *     Any valid credential; shows only what belongs to the caller.
         */
        get: operations["get_me_views"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/views/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Save a view of the portal
         * @description One that has the name is replaced. At most 50.
         *
         *     A session token or an identity-provider token; virtual keys are refused.
         */
        put: operations["put_me_views_name"];
        post?: never;
        /**
         * Delete one of my views
         * @description A session token or an identity-provider token; virtual keys are refused.
         */
        delete: operations["delete_me_views_name"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Metrics in Prometheus text form
         * @description When METRICS_TOKEN is set, it must be sent as bearer token.
         *
         *     No credential needed.
         */
        get: operations["get_metrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/model/{model_id}/count-tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Count the tokens of a message in the hosted service's form
         * @description Any valid credential: virtual key, identity-provider token or session token.
         */
        post: operations["post_model_model_id_count_tokens"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/model/{model_id}/invoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a message in the hosted service's form (invoke)
         * @description Any valid credential: virtual key, identity-provider token or session token.
         */
        post: operations["post_model_model_id_invoke"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/model/{model_id}/invoke-with-response-stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a message in the hosted service's form (invoke-with-response-stream)
         * @description Any valid credential: virtual key, identity-provider token or session token.
         */
        post: operations["post_model_model_id_invoke_with_response_stream"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/oauth/device_authorization": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begin a sign-in (RFC 8628)
         * @description No credential needed.
         */
        post: operations["post_oauth_device_authorization"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/oauth/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign out: end the session of an access or refresh token (RFC 7009)
         * @description Takes a form with `token`. It answers the same for unknown tokens. `token_type_hint` is ignored.
         *
         *     No credential needed.
         */
        post: operations["post_oauth_revoke"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/oauth/token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Poll for tokens, or renew them
         * @description No credential needed.
         */
        post: operations["post_oauth_token"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * This description
         * @description No credential needed.
         */
        get: operations["get_openapi_json"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/portal": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The portal, and the way back from an identity provider
         * @description No credential needed.
         */
        get: operations["get_portal"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/portal/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Leads to the portal
         * @description No credential needed.
         */
        get: operations["get_portal_"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/portal/assets/{file}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A file of the portal
         * @description No credential needed.
         */
        get: operations["get_portal_assets_file"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/portal/notice.css": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The style of the pages about a failed sign-in
         * @description No credential needed.
         */
        get: operations["get_portal_notice_css"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/protocol": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What this gateway offers to the client, for people
         * @description No credential needed.
         */
        get: operations["get_protocol"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ready": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Readiness: send traffic here
         * @description No credential needed.
         */
        get: operations["get_ready"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        /**
         * Readiness: send traffic here
         * @description No credential needed.
         */
        head: operations["head_ready"];
        patch?: never;
        trace?: never;
    };
    "/scim/v2/Groups": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List or search groups
         * @description `filter` knows eq, co, sw and `and` on displayName, externalId, members.value and id.
         *
         *     The provisioning token of an identity provider, and nothing else.
         */
        get: operations["get_scim_v2_Groups"];
        put?: never;
        /**
         * Add a group
         * @description Its members join the team of the same name, which is made when there is none. Of several groups the one joined last decides the team. The group named by `scim_admin_group` gives the role of administrator instead.
         *
         *     The provisioning token of an identity provider, and nothing else.
         */
        post: operations["post_scim_v2_Groups"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/scim/v2/Groups/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a group
         * @description The provisioning token of an identity provider, and nothing else.
         */
        get: operations["get_scim_v2_Groups_id"];
        /**
         * Replace a group
         * @description A new name renames the team, or joins the team that already has it.
         *
         *     The provisioning token of an identity provider, and nothing else.
         */
        put: operations["put_scim_v2_Groups_id"];
        post?: never;
        /**
         * Delete a group
         * @description Its team stays. Members fall back to the group they joined before it, or have no team.
         *
         *     The provisioning token of an identity provider, and nothing else.
         */
        delete: operations["delete_scim_v2_Groups_id"];
        options?: never;
        head?: never;
        /**
         * Change a group
         * @description Answers without a body: a group may have thousands of members.
         *
         *     The provisioning token of an identity provider, and nothing else.
         */
        patch: operations["patch_scim_v2_Groups_id"];
        trace?: never;
    };
    "/scim/v2/ResourceTypes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Every resource type
         * @description The provisioning token of an identity provider, and nothing else.
         */
        get: operations["get_scim_v2_ResourceTypes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/scim/v2/ResourceTypes/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One resource type
         * @description The provisioning token of an identity provider, and nothing else.
         */
        get: operations["get_scim_v2_ResourceTypes_id"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/scim/v2/Schemas": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Every schema
         * @description The provisioning token of an identity provider, and nothing else.
         */
        get: operations["get_scim_v2_Schemas"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/scim/v2/Schemas/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One schema
         * @description The provisioning token of an identity provider, and nothing else.
         */
        get: operations["get_scim_v2_Schemas_id"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/scim/v2/ServiceProviderConfig": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What provisioning supports
         * @description The provisioning token of an identity provider, and nothing else.
         */
        get: operations["get_scim_v2_ServiceProviderConfig"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/scim/v2/Users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List or search users
         * @description `filter` knows eq, co, sw and `and` on userName, externalId, emails.value, active, displayName and id. Pages by `startIndex` and `count` (up to 200).
         *
         *     The provisioning token of an identity provider, and nothing else.
         */
        get: operations["get_scim_v2_Users"];
        put?: never;
        /**
         * Add a user
         * @description A member, bound at the first sign-in through this provider. A user of this name whom nobody manages yet, and who is not bound to another provider, is taken over.
         *
         *     The provisioning token of an identity provider, and nothing else.
         */
        post: operations["post_scim_v2_Users"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/scim/v2/Users/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a user
         * @description The provisioning token of an identity provider, and nothing else.
         */
        get: operations["get_scim_v2_Users_id"];
        /**
         * Replace a user
         * @description What is left out is cleared, except `active`.
         *
         *     The provisioning token of an identity provider, and nothing else.
         */
        put: operations["put_scim_v2_Users_id"];
        post?: never;
        /**
         * Delete a user
         * @description Keys and budget of the user go too; spend records stay.
         *
         *     The provisioning token of an identity provider, and nothing else.
         */
        delete: operations["delete_scim_v2_Users_id"];
        options?: never;
        head?: never;
        /**
         * Change a user
         * @description `active: false`, or removing `active`, ends the sessions and stops the keys of the user. Unknown attributes are passed over.
         *
         *     The provisioning token of an identity provider, and nothing else.
         */
        patch: operations["patch_scim_v2_Users_id"];
        trace?: never;
    };
    "/setup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The setup script: signs in and merges the client settings; `--remove` undoes it
         * @description No credential needed.
         */
        get: operations["get_setup"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/setup.ps1": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The setup script for PowerShell
         * @description No credential needed.
         */
        get: operations["get_setup_ps1"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/logs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Telemetry of the client (logs): accepted and thrown away
         * @description It can hold prompts and file names, which the gateway does not keep.
         *
         *     Any valid credential: virtual key, identity-provider token or session token.
         */
        post: operations["post_v1_logs"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a message
         * @description The Messages API. Unknown fields are passed on; the query string is ignored.
         *
         *     Any valid credential: virtual key, identity-provider token or session token.
         */
        post: operations["post_v1_messages"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/messages/count_tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Count the tokens of a message
         * @description Any valid credential: virtual key, identity-provider token or session token.
         */
        post: operations["post_v1_messages_count_tokens"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Telemetry of the client (metrics): accepted and thrown away
         * @description It can hold prompts and file names, which the gateway does not keep.
         *
         *     Any valid credential: virtual key, identity-provider token or session token.
         */
        post: operations["post_v1_metrics"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/models": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the models you can use
         * @description Query: `limit` (1 to 1000, default 1000), `after_id`, `before_id`.
         *
         *     Any valid credential: virtual key, identity-provider token or session token.
         */
        get: operations["get_v1_models"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/models/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One model
         * @description Any valid credential: virtual key, identity-provider token or session token.
         */
        get: operations["get_v1_models_id"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/organizations/cost_report": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Cost by day, as the vendor reports it
         * @description For programs written for the Admin API of the vendor. `amount` is in cents; the sums are those of `GET /admin/analytics/org/spend`. `workspace_id` is the id of a team, null for what belongs to none. By `description` there is one result for each model, and one for web searches where they have a price. A call has one cost, so `token_type` is always null.
         *
         *     A session token or an identity-provider token of an administrator. A person with the grant `billing:read` may call it too.
         */
        get: operations["get_v1_organizations_cost_report"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/organizations/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The organization, as the vendor shows it
         * @description Always the same: a gateway serves one organization.
         *
         *     A session token or an identity-provider token of an administrator. A person with the grant `billing:read` may call it too.
         */
        get: operations["get_v1_organizations_me"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/organizations/spend_limit_increase_requests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what people asked for, the newest first
         * @description What is asked for the budget of a whole team, and what was withdrawn, is in `/admin/budget-requests` only.
         *
         *     A session token or an identity-provider token of an administrator. A person with the grant `billing:read` may call it too.
         */
        get: operations["get_v1_organizations_spend_limit_increase_requests"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/organizations/spend_limit_increase_requests/{spend_limit_increase_request_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what somebody asked for
         * @description A session token or an identity-provider token of an administrator. A person with the grant `billing:read` may call it too.
         */
        get: operations["get_v1_organizations_spend_limit_increase_requests_spend_limit_increase_request_id"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/organizations/spend_limit_increase_requests/{spend_limit_increase_request_id}/approve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Approve a request
         * @description The amount becomes the own limit of whoever asked, for good, and has to be above the one in force. To add money until the budget resets, use `/admin/budget-requests`.
         *
         *     A session token or an identity-provider token of an administrator.
         */
        post: operations["post_v1_organizations_spend_limit_increase_requests_spend_limit_increase_request_id_approve"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/organizations/spend_limit_increase_requests/{spend_limit_increase_request_id}/deny": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Deny a request
         * @description What was denied before stays denied.
         *
         *     A session token or an identity-provider token of an administrator.
         */
        post: operations["post_v1_organizations_spend_limit_increase_requests_spend_limit_increase_request_id_deny"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/organizations/spend_limits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List budgets as spend limits
         * @description The scope `user` is the own budget of a person, `workspace` the budget that a team shares, `rbac_group` what a team gives each member, `seat_tier` the default of everybody without one. Ids of people and teams are those of the other routes.
         *
         *     A session token or an identity-provider token of an administrator. A person with the grant `billing:read` may call it too.
         */
        get: operations["get_v1_organizations_spend_limits"];
        put?: never;
        /**
         * Set the spend limit of a person or a team
         * @description In whole cents as text. What is there keeps its period and its rules; a new one is monthly and stops calls at the limit, unless an inherited one says otherwise. Nobody has two limits of different periods, so another period than that in force is refused.
         *
         *     A session token or an identity-provider token of an administrator.
         */
        post: operations["post_v1_organizations_spend_limits"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/organizations/spend_limits/effective": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what limits each person, and what they have spent of it
         * @description A page counts active people, and who has no limit has no row. The budget that a team shares is not the limit of a person and not in here.
         *
         *     A session token or an identity-provider token of an administrator. A person with the grant `billing:read` may call it too.
         */
        get: operations["get_v1_organizations_spend_limits_effective"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/organizations/spend_limits/{spend_limit_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one spend limit
         * @description A session token or an identity-provider token of an administrator. A person with the grant `billing:read` may call it too.
         */
        get: operations["get_v1_organizations_spend_limits_spend_limit_id"];
        put?: never;
        post?: never;
        /**
         * Remove the spend limit of a person or a team
         * @description What a person inherits then holds for them.
         *
         *     A session token or an identity-provider token of an administrator.
         */
        delete: operations["delete_v1_organizations_spend_limits_spend_limit_id"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/organizations/usage_report/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Tokens by time, as the vendor reports them
         * @description For programs written for the Admin API of the vendor. `workspace_id` is the id of a team, `api_key_id` of a virtual key, `account_id` of a person; null also for calls without one. Buckets are of UTC; one without use has no results. A page has at most 31 days, 168 hours or 1,440 minutes, fewer where there are very many results. `service_tier`, `speed` and `inference_geo` are the same for every call; `context_window` and `service_account_id` are always null. Days by team and model are known as long as charts are; hours, minutes, keys and people as long as single records (`spend_retention_days`).
         *
         *     A session token or an identity-provider token of an administrator. A person with the grant `billing:read` may call it too.
         */
        get: operations["get_v1_organizations_usage_report_messages"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/organizations/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List people, as the vendor lists them
         * @description In the order in which they came, the deactivated too: reports name them. `email` is the name that somebody signs in with where no address is known, and looks for exactly what is shown. `role` is `admin` or `user`.
         *
         *     A session token or an identity-provider token of an administrator. A person with the grant `billing:read` may call it too.
         */
        get: operations["get_v1_organizations_users"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/organizations/users/{user_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a person, as the vendor shows one
         * @description A session token or an identity-provider token of an administrator. A person with the grant `billing:read` may call it too.
         */
        get: operations["get_v1_organizations_users_user_id"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/organizations/workspaces": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List teams, as the vendor lists workspaces
         * @description In the order in which they came. A team is never archived and none is the default one, so `include_archived` and `include_default` change nothing.
         *
         *     A session token or an identity-provider token of an administrator. A person with the grant `billing:read` may call it too.
         */
        get: operations["get_v1_organizations_workspaces"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/organizations/workspaces/{workspace_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a team, as the vendor shows a workspace
         * @description A session token or an identity-provider token of an administrator. A person with the grant `billing:read` may call it too.
         */
        get: operations["get_v1_organizations_workspaces_workspace_id"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/traces": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Telemetry of the client (traces): accepted and thrown away
         * @description It can hold prompts and file names, which the gateway does not keep.
         *
         *     Any valid credential: virtual key, identity-provider token or session token.
         */
        post: operations["post_v1_traces"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        Error: {
            /** @constant */
            type: "error";
            error: {
                type: string;
                message: string;
                code: string;
                details?: {
                    path: string;
                    message: string;
                }[];
            };
            request_id: string;
        };
        BedrockError: {
            message: string;
        };
        ScimError: {
            schemas: [
                "urn:ietf:params:scim:api:messages:2.0:Error"
            ];
            status: string;
            scimType?: string;
            detail: string;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    get_: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description To `/portal` */
            302: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    head_: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Alive */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_well_known_oauth_authorization_server: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description RFC 8414 metadata */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The Host header cannot be used */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_admin_analytics_adoption: {
        parameters: {
            query?: {
                team?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The stages */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: date-time */
                        at: string;
                        team_id: string | null;
                        stages: {
                            /** @enum {string} */
                            stage: "invited" | "connected" | "active";
                            people: number;
                            share: number;
                            share_of_previous: number | null;
                        }[];
                    };
                };
            };
            /** @description A parameter or field is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No valid credential */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not an administrator and without a grant for it, or deactivated */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_admin_analytics_explore: {
        parameters: {
            query?: {
                days?: 1 | 7 | 14 | 30 | 90;
                from?: string;
                to?: string;
                granularity?: "auto" | "hour" | "day" | "week";
                tz?: string;
                until?: string;
                team?: string;
                user?: string;
                model?: string;
                endpoint?: string;
                measure?: "spend" | "requests" | "errors" | "input_tokens" | "output_tokens" | "cache_read_tokens" | "cache_write_tokens" | "tokens" | "cache_share" | "p50" | "p95" | "p99" | "first_token_p50" | "first_token_p95";
                by?: "team" | "user" | "model" | "endpoint" | "time";
                top?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The ranking or the course */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        range: {
                            from: string;
                            to: string;
                            /** @enum {string} */
                            granularity: "hour" | "day" | "week";
                            tz: string;
                            until?: string;
                        };
                        /** @enum {string} */
                        measure: "spend" | "requests" | "errors" | "input_tokens" | "output_tokens" | "cache_read_tokens" | "cache_write_tokens" | "tokens" | "cache_share" | "p50" | "p95" | "p99" | "first_token_p50" | "first_token_p95";
                        /** @enum {string} */
                        by: "team" | "user" | "model" | "endpoint" | "time";
                        /** @enum {string} */
                        unit: "usd" | "count" | "share" | "ms";
                        total: number | null;
                        rows: {
                            name: string;
                            value: number | null;
                        }[];
                        others: {
                            groups: number;
                            value: number | null;
                        } | null;
                    };
                };
            };
            /** @description A parameter or field is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No valid credential */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not an administrator and without a grant for it, or deactivated */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_admin_analytics_org_activity: {
        parameters: {
            query?: {
                days?: 1 | 7 | 14 | 30 | 90;
                from?: string;
                to?: string;
                granularity?: "auto" | "hour" | "day" | "week";
                tz?: string;
                until?: string;
                team?: string;
                user?: string;
                model?: string;
                endpoint?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Active people over time and calls by hour of the week */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        range: {
                            from: string;
                            to: string;
                            /** @enum {string} */
                            granularity: "hour" | "day" | "week";
                            tz: string;
                            until?: string;
                        };
                        active_users: {
                            /** Format: date-time */
                            bucket: string;
                            active: number;
                            new: number;
                            returning: number;
                        }[];
                        heatmap: {
                            weekday: number;
                            hour: number;
                            requests: number;
                        }[];
                    };
                };
            };
            /** @description A parameter or field is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No valid credential */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not an administrator and without a grant for it, or deactivated */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_admin_analytics_org_export: {
        parameters: {
            query?: {
                days?: 1 | 7 | 14 | 30 | 90;
                from?: string;
                to?: string;
                granularity?: "auto" | "hour" | "day" | "week";
                tz?: string;
                until?: string;
                team?: string;
                user?: string;
                model?: string;
                endpoint?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            /** @description A parameter or field is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No valid credential */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not an administrator and without a grant for it, or deactivated */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_admin_analytics_org_models: {
        parameters: {
            query?: {
                days?: 1 | 7 | 14 | 30 | 90;
                from?: string;
                to?: string;
                granularity?: "auto" | "hour" | "day" | "week";
                tz?: string;
                until?: string;
                team?: string;
                user?: string;
                model?: string;
                endpoint?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Model mix, latency, cache hits, tokens and endpoints */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        range: {
                            from: string;
                            to: string;
                            /** @enum {string} */
                            granularity: "hour" | "day" | "week";
                            tz: string;
                            until?: string;
                        };
                        mix: {
                            model: string;
                            requests: number;
                            unpriced_requests: number;
                            spend_usd: number;
                            share: number;
                        }[];
                        latency: {
                            model: string;
                            p50_ms: number | null;
                            p95_ms: number | null;
                            p99_ms: number | null;
                            first_token_p50_ms: number | null;
                            first_token_p95_ms: number | null;
                        }[];
                        cache: {
                            /** Format: date-time */
                            bucket: string;
                            hit_rate: number;
                            prompt_tokens: number;
                        }[];
                        tokens: {
                            model: string;
                            input: number;
                            output: number;
                            cache_read: number;
                            cache_write: number;
                        }[];
                        endpoints: {
                            endpoint: string;
                            requests: number;
                            errors: number;
                            throttles: number;
                            failovers: number;
                            spend_usd: number;
                            share: number;
                        }[];
                    };
                };
            };
            /** @description A parameter or field is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No valid credential */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not an administrator and without a grant for it, or deactivated */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_admin_analytics_org_overview: {
        parameters: {
            query?: {
                days?: 1 | 7 | 14 | 30 | 90;
                from?: string;
                to?: string;
                granularity?: "auto" | "hour" | "day" | "week";
                tz?: string;
                until?: string;
                team?: string;
                user?: string;
                model?: string;
                endpoint?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Key figures of the organization and the values one can filter by */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        range: {
                            from: string;
                            to: string;
                            /** @enum {string} */
                            granularity: "hour" | "day" | "week";
                            tz: string;
                            until?: string;
                        };
                        totals: {
                            requests: number;
                            active_users: number;
                            spend_usd: number;
                            input_tokens: number;
                            output_tokens: number;
                            cache_read_tokens: number;
                            cache_write_tokens: number;
                            cache_hit_rate: number;
                            cache_savings_usd: number;
                            errors: number;
                            avg_duration_ms: number;
                            tool_calls: number;
                            /** @description Requests to models without a price; their cost is an estimate. */
                            unpriced_requests: number;
                        };
                        previous: {
                            requests: number;
                            active_users: number;
                            spend_usd: number;
                            input_tokens: number;
                            output_tokens: number;
                            cache_read_tokens: number;
                            cache_write_tokens: number;
                            cache_hit_rate: number;
                            cache_savings_usd: number;
                            errors: number;
                            avg_duration_ms: number;
                            tool_calls: number;
                            /** @description Requests to models without a price; their cost is an estimate. */
                            unpriced_requests: number;
                        };
                        failures: {
                            /** @enum {string} */
                            kind: "budget" | "rate_limit" | "token_limit" | "concurrency" | "model_access" | "credential" | "invalid_request" | "throttled_by_aws" | "aws_access" | "aws_unavailable" | "guardrail" | "timeout" | "network" | "client_left" | "gateway";
                            requests: number;
                        }[];
                        filters: {
                            teams: string[];
                            users: string[];
                            models: string[];
                            endpoints: string[];
                        };
                    };
                };
            };
            /** @description A parameter or field is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No valid credential */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not an administrator and without a grant for it, or deactivated */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_admin_analytics_org_spend: {
        parameters: {
            query?: {
                days?: 1 | 7 | 14 | 30 | 90;
                from?: string;
                to?: string;
                granularity?: "auto" | "hour" | "day" | "week";
                tz?: string;
                until?: string;
                team?: string;
                user?: string;
                model?: string;
                endpoint?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Spend over time, by team, person and model, with budgets and a forecast */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        range: {
                            from: string;
                            to: string;
                            /** @enum {string} */
                            granularity: "hour" | "day" | "week";
                            tz: string;
                            until?: string;
                        };
                        timeseries: {
                            /** Format: date-time */
                            bucket: string;
                            spend_usd: number;
                            by: {
                                [key: string]: number;
                            };
                        }[];
                        by_team: {
                            name: string;
                            spend_usd: number;
                            requests: number;
                            tokens: number;
                        }[];
                        by_user: {
                            name: string;
                            spend_usd: number;
                            requests: number;
                            tokens: number;
                        }[];
                        by_model: {
                            name: string;
                            spend_usd: number;
                            requests: number;
                            tokens: number;
                            unpriced_requests: number;
                        }[];
                        budgets: {
                            /** @enum {string} */
                            scope: "user" | "team";
                            name: string;
                            limit_usd: number;
                            top_up_usd: number;
                            spend_usd: number;
                            percent: number;
                            /** @enum {string} */
                            period: "daily" | "weekly" | "monthly";
                            /** @enum {string} */
                            status: "ok" | "warning" | "shaped" | "blocked";
                            /** Format: date-time */
                            resets_at: string;
                        }[];
                        forecast: {
                            /** @constant */
                            method: "ols";
                            points: {
                                /** Format: date-time */
                                bucket: string;
                                spend_usd: number;
                                low_usd: number;
                                high_usd: number;
                            }[];
                            month_end_usd: number | null;
                        };
                    };
                };
            };
            /** @description A parameter or field is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No valid credential */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not an administrator and without a grant for it, or deactivated */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_admin_analytics_org_tools: {
        parameters: {
            query?: {
                days?: 1 | 7 | 14 | 30 | 90;
                from?: string;
                to?: string;
                granularity?: "auto" | "hour" | "day" | "week";
                tz?: string;
                until?: string;
                team?: string;
                user?: string;
                model?: string;
                endpoint?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Tool servers, top tools and totals */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        range: {
                            from: string;
                            to: string;
                            /** @enum {string} */
                            granularity: "hour" | "day" | "week";
                            tz: string;
                            until?: string;
                        };
                        servers: {
                            server: string;
                            tools: number;
                            calls: number;
                            users: number;
                        }[];
                        top_tools: {
                            tool: string;
                            server: string | null;
                            calls: number;
                            users: number;
                        }[];
                        totals: {
                            calls: number;
                            server_calls: number;
                            web_searches: number;
                            tools: number;
                            servers: number;
                        };
                    };
                };
            };
            /** @description A parameter or field is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No valid credential */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not an administrator and without a grant for it, or deactivated */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    post_admin_analytics_reconciliation: {
        parameters: {
            query?: {
                from?: string;
                to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "text/csv": string;
            };
        };
        responses: {
            /** @description Both sides and the reasons for what differs */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        range: {
                            from: string;
                            to: string;
                        };
                        report: {
                            /** @enum {string} */
                            form: "cur" | "cur2" | "cost_explorer";
                            lines: number;
                            used_lines: number;
                            first_day: string | null;
                            last_day: string | null;
                            note: string | null;
                        };
                        totals: {
                            billed_usd: number;
                            gateway_usd: number;
                            difference_usd: number;
                            difference_percent: number | null;
                            /** @enum {string} */
                            status: "match" | "differs";
                            tokens: {
                                billed: {
                                    input: number;
                                    output: number;
                                    cache_read: number;
                                    cache_write: number;
                                } | null;
                                counted: {
                                    input: number;
                                    output: number;
                                    cache_read: number;
                                    cache_write: number;
                                };
                            };
                            unexplained_usd: number;
                        };
                        by_model: {
                            model: string;
                            billed_usd: number;
                            gateway_usd: number;
                            difference_usd: number;
                            difference_percent: number | null;
                            /** @enum {string} */
                            status: "match" | "differs";
                            tokens: {
                                billed: {
                                    input: number;
                                    output: number;
                                    cache_read: number;
                                    cache_write: number;
                                } | null;
                                counted: {
                                    input: number;
                                    output: number;
                                    cache_read: number;
                                    cache_write: number;
                                };
                            };
                        }[];
                        days: {
                            day: string;
                            model: string;
                            is_final: boolean;
                            billed_usd: number;
                            gateway_usd: number;
                            difference_usd: number;
                            difference_percent: number | null;
                            /** @enum {string} */
                            status: "match" | "differs";
                            tokens: {
                                billed: {
                                    input: number;
                                    output: number;
                                    cache_read: number;
                                    cache_write: number;
                                } | null;
                                counted: {
                                    input: number;
                                    output: number;
                                    cache_read: number;
                                    cache_write: number;
                                };
                            };
                        }[];
                        places: {
                            account: string | null;
                            region: string | null;
                            profile: string | null;
                            endpoints: string[];
                            billed_usd: number;
                            gateway_usd: number;
                            difference_usd: number;
                            difference_percent: number | null;
                            /** @enum {string} */
                            status: "match" | "differs";
                        }[];
                        causes: {
                            /** @enum {string} */
                            kind: "unpriced_model" | "price_differs" | "outside_place" | "outside_profile" | "outside_tier" | "outside_model" | "outside_same_profile" | "outside_same_place" | "estimated_calls" | "day_partial" | "day_not_final" | "not_billed" | "not_told";
                            model: string | null;
                            account: string | null;
                            region: string | null;
                            profile: string | null;
                            usd: number;
                            first_day: string;
                            last_day: string;
                            days: number;
                            is_certain: boolean;
                            prices: {
                                tokens: string;
                                scope: string;
                                billed_usd_per_mtok: number;
                                gateway_usd_per_mtok: number;
                            }[];
                            text: string;
                        }[];
                        left_out: {
                            /** @enum {string} */
                            side: "bill" | "gateway";
                            reason: string;
                            lines: number;
                            usd: number;
                            text: string;
                        }[];
                    };
                };
            };
            /** @description A parameter or field is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No valid credential */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not an administrator and without a grant for it, or deactivated */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_admin_analytics_unit_price: {
        parameters: {
            query?: {
                days?: 1 | 7 | 14 | 30 | 90;
                from?: string;
                to?: string;
                granularity?: "auto" | "hour" | "day" | "week";
                tz?: string;
                until?: string;
                team?: string;
                user?: string;
                model?: string;
                endpoint?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Cost of a person on an active day, beside the published marks */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        range: {
                            from: string;
                            to: string;
                            /** @enum {string} */
                            granularity: "hour" | "day" | "week";
                            tz: string;
                            until?: string;
                        };
                        unit_price: {
                            usd_per_person_day: number | null;
                            person_days: number;
                            spend_usd: number;
                            other_spend_usd: number;
                        };
                        previous: {
                            usd_per_person_day: number | null;
                            person_days: number;
                            spend_usd: number;
                            other_spend_usd: number;
                        };
                        marks: {
                            usd: number;
                            /** @enum {string} */
                            meaning: "average" | "most";
                            text: string;
                        }[];
                    };
                };
            };
            /** @description A parameter or field is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No valid credential */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not an administrator and without a grant for it, or deactivated */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_admin_analytics_what_if: {
        parameters: {
            query?: {
                days?: 1 | 7 | 14 | 30 | 90;
                from?: string;
                to?: string;
                granularity?: "auto" | "hour" | "day" | "week";
                tz?: string;
                until?: string;
                team?: string;
                user?: string;
                model?: string;
                endpoint?: string;
                from_model?: string;
                to_model?: string;
                share?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What it was, and what it would have been */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        range: {
                            from: string;
                            to: string;
                            /** @enum {string} */
                            granularity: "hour" | "day" | "week";
                            tz: string;
                            until?: string;
                        };
                        share: number;
                        spend_usd: number;
                        what_if: {
                            from: {
                                model: string;
                                name: string;
                                calls: number;
                                unpriced_calls: number;
                                spend_usd: number;
                            };
                            to: {
                                model: string;
                                name: string;
                            };
                            moved: {
                                calls: number;
                                spend_usd: number;
                                would_cost_usd: number;
                            };
                            would_spend_usd: number;
                            difference_usd: number;
                            difference_share: number | null;
                            tokens: {
                                input: number;
                                output: number;
                                cache_read: number;
                                cache_write_5m: number;
                                cache_write_1h: number;
                            };
                            parts: {
                                /** @enum {string} */
                                scope: "global" | "geo" | "us-gov";
                                long_context: boolean;
                                calls: number;
                                spend_usd: number;
                                would_cost_usd: number;
                                tokens: {
                                    input: number;
                                    output: number;
                                    cache_read: number;
                                    cache_write_5m: number;
                                    cache_write_1h: number;
                                };
                                from_rates: {
                                    input_usd_per_mtok: number;
                                    output_usd_per_mtok: number;
                                    cache_read_usd_per_mtok: number;
                                    cache_write_5m_usd_per_mtok: number;
                                    cache_write_1h_usd_per_mtok: number | null;
                                } | null;
                                to_rates: {
                                    input_usd_per_mtok: number;
                                    output_usd_per_mtok: number;
                                    cache_read_usd_per_mtok: number;
                                    cache_write_5m_usd_per_mtok: number;
                                    cache_write_1h_usd_per_mtok: number | null;
                                };
                            }[];
                        } | null;
                        reason: ("no_calls" | "no_other_model") | null;
                        choices: {
                            from: {
                                model: string;
                                name: string;
                            }[];
                            to: {
                                model: string;
                                name: string;
                            }[];
                        };
                        assumptions: string[];
                    };
                };
            };
            /** @description A parameter or field is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No valid credential */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not an administrator and without a grant for it, or deactivated */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_admin_audit: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
                q?: string;
                sort?: string;
                ids?: string;
                actor?: string;
                action?: string;
                target?: string;
                from?: string;
                to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Who did what */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            id: string;
                            /** Format: date-time */
                            at: string;
                            actor: string;
                            action: string;
                            target: string | null;
                            target_name: string | null;
                            before: unknown;
                            after: unknown;
                            source_address: string | null;
                            request_id: string | null;
                        }[];
                        has_more: boolean;
                        next_cursor: string | null;
                    };
                };
            };
            /** @description A parameter or field is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No valid credential */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not an administrator and without a grant for it, or deactivated */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_admin_budget_requests: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
                q?: string;
                sort?: string;
                status?: "open" | "approved" | "declined" | "withdrawn";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Requests */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /** Format: uuid */
                            id: string;
                            /** @enum {string} */
                            scope: "user" | "team";
                            amount_usd: number;
                            reason: string | null;
                            /** @enum {string} */
                            status: "open" | "approved" | "declined" | "withdrawn";
                            /** Format: date-time */
                            created_at: string;
                            decided_at: string | null;
                            decided_by: string | null;
                            note: string | null;
                            granted_usd: number | null;
                            granted_as: ("top_up" | "raise") | null;
                            /** Format: uuid */
                            user_id: string;
                            user_name: string;
                            team_id: string | null;
                            team_name: string | null;
                            budget: {
                                /** @enum {string} */
                                scope: "user" | "team";
                                name: string;
                                /** @enum {string} */
                                source: "own" | "team-member" | "default" | "team";
                                limit_usd: number;
                                top_up_usd: number;
                                /** @enum {string} */
                                period: "daily" | "weekly" | "monthly";
                                rules: {
                                    at_percent: number;
                                    /** @enum {string} */
                                    action: "notify" | "shape" | "block";
                                    rpm?: number;
                                }[];
                                spend_usd: number;
                                remaining_usd: number;
                                percent: number;
                                /** @enum {string} */
                                status: "ok" | "warning" | "shaped" | "blocked";
                                /** Format: date-time */
                                started_at: string;
                                /** Format: date-time */
                                resets_at: string;
                            } | null;
                            spend_by_day: {
                                /** Format: date */
                                day: string;
                                spend_usd: number;
                            }[];
                        }[];
                        has_more: boolean;
                        next_cursor: string | null;
                    };
                };
            };
            /** @description A parameter or field is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No valid credential */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not an administrator and without a grant for it, or deactivated */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    post_admin_budget_requests_budget_request_id_approve: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                budget_request_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    as: "top_up" | "raise";
                    amount_usd?: number;
                    note?: string | null;
                };
            };
        };
        responses: {
            /** @description The request as it was decided */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        id: string;
                        /** @enum {string} */
                        scope: "user" | "team";
                        amount_usd: number;
                        reason: string | null;
                        /** @enum {string} */
                        status: "open" | "approved" | "declined" | "withdrawn";
                        /** Format: date-time */
                        created_at: string;
                        decided_at: string | null;
                        decided_by: string | null;
                        note: string | null;
                        granted_usd: number | null;
                        granted_as: ("top_up" | "raise") | null;
                        /** Format: uuid */
                        user_id: string;
                        user_name: string;
                        team_id: string | null;
                        team_name: string | null;
                        budget: {
                            /** @enum {string} */
                            scope: "user" | "team";
                            name: string;
                            /** @enum {string} */
                            source: "own" | "team-member" | "default" | "team";
                            limit_usd: number;
                            top_up_usd: number;
                            /** @enum {string} */
                            period: "daily" | "weekly" | "monthly";
                            rules: {
                                at_percent: number;
                                /** @enum {string} */
                                action: "notify" | "shape" | "block";
                                rpm?: number;
                            }[];
                            spend_usd: number;
                            remaining_usd: number;
                            percent: number;
                            /** @enum {string} */
                            status: "ok" | "warning" | "shaped" | "blocked";
                            /** Format: date-time */
                            started_at: string;
                            /** Format: date-time */
                            resets_at: string;
                        } | null;
                        spend_by_day: {
                            /** Format: date */
                            day: string;
                            spend_usd: number;
                        }[];
                    };
                };
            };
            /** @description A parameter or field is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No valid credential */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not an administrator and without a grant for it, or deactivated */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is nothing with this id */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It was decided or withdrawn before, or no budget is in force */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    post_admin_budget_requests_budget_request_id_decline: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                budget_request_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    note?: string | null;
                };
            };
        };
        responses: {
            /** @description The request as it was decided */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        id: string;
                        /** @enum {string} */
                        scope: "user" | "team";
                        amount_usd: number;
                        reason: string | null;
                        /** @enum {string} */
                        status: "open" | "approved" | "declined" | "withdrawn";
                        /** Format: date-time */
                        created_at: string;
                        decided_at: string | null;
                        decided_by: string | null;
                        note: string | null;
                        granted_usd: number | null;
                        granted_as: ("top_up" | "raise") | null;
                        /** Format: uuid */
                        user_id: string;
                        user_name: string;
                        team_id: string | null;
                        team_name: string | null;
                        budget: {
                            /** @enum {string} */
                            scope: "user" | "team";
                            name: string;
                            /** @enum {string} */
                            source: "own" | "team-member" | "default" | "team";
                            limit_usd: number;
                            top_up_usd: number;
                            /** @enum {string} */
                            period: "daily" | "weekly" | "monthly";
                            rules: {
                                at_percent: number;
                                /** @enum {string} */
                                action: "notify" | "shape" | "block";
                                rpm?: number;
                            }[];
                            spend_usd: number;
                            remaining_usd: number;
                            percent: number;
                            /** @enum {string} */
                            status: "ok" | "warning" | "shaped" | "blocked";
                            /** Format: date-time */
                            started_at: string;
                            /** Format: date-time */
                            resets_at: string;
                        } | null;
                        spend_by_day: {
                            /** Format: date */
                            day: string;
                            spend_usd: number;
                        }[];
                    };
                };
            };
            /** @description A parameter or field is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No valid credential */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not an administrator and without a grant for it, or deactivated */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is nothing with this id */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It was decided or withdrawn before */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_admin_budgets: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
                q?: string;
                sort?: string;
                ids?: string;
                scope?: "user" | "team";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Budgets */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /** @enum {string} */
                            scope: "user" | "team";
                            /** Format: uuid */
                            subject_id: string;
                            limit_usd: number;
                            top_up_usd: number;
                            /** @enum {string} */
                            period: "daily" | "weekly" | "monthly";
                            policy: string | {
                                at_percent: number;
                                /** @enum {string} */
                                action: "notify" | "shape" | "block";
                                rpm?: number;
                            }[];
                            rules: {
                                at_percent: number;
                                /** @enum {string} */
                                action: "notify" | "shape" | "block";
                                rpm?: number;
                            }[];
                            member_limit_usd: number | null;
                            /** Format: date-time */
                            updated_at: string;
                            spend_usd: number;
                            percent: number;
                            /** @enum {string} */
                            status: "ok" | "warning" | "shaped" | "blocked";
                            /** Format: date-time */
                            resets_at: string;
                            name: string;
                        }[];
                        has_more: boolean;
                        next_cursor: string | null;
                    };
                };
            };
            /** @description A parameter or field is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No valid credential */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not an administrator and without a grant for it, or deactivated */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    post_admin_budgets_simulate: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    scope: "user" | "team" | "members" | "default";
                    /** Format: uuid */
                    subject_id?: string;
                    limit_usd: number;
                    /** @enum {string} */
                    period: "daily" | "weekly" | "monthly";
                    /** @default standard */
                    policy?: ("standard" | "soft" | "shaped") | {
                        at_percent: number;
                        /** @enum {string} */
                        action: "notify" | "shape" | "block";
                        rpm?: number;
                    }[];
                };
            };
        };
        responses: {
            /** @description What it would do */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {string} */
                        scope: "user" | "team" | "members" | "default";
                        /** @description How many people or teams it is about. */
                        total: number;
                        current: {
                            /** @description A day of UTC, YYYY-MM-DD. */
                            from: string;
                            /** Format: date-time */
                            resets_at: string;
                            /** @description Have spent more than the limit. */
                            above: number;
                            warning: number;
                            shaped: number;
                            blocked: number;
                        };
                        finished: {
                            /** @description A day of UTC, YYYY-MM-DD. */
                            from: string;
                            /** @description A day of UTC, YYYY-MM-DD. */
                            to: string;
                            stopped: number;
                        }[];
                        subjects: {
                            /** @enum {string} */
                            scope: "user" | "team";
                            /** Format: uuid */
                            subject_id: string;
                            name: string;
                            spend_usd: number;
                            percent: number;
                            /** @enum {string} */
                            status: "ok" | "warning" | "shaped" | "blocked";
                            stopped_on: (string | null)[];
                        }[];
                    };
                };
            };
            /** @description A parameter or field is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No valid credential */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not an administrator and without a grant for it, or deactivated */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no user or team with this id */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    delete_admin_budgets_top_ups_top_up_id: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                top_up_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Taken back */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A parameter or field is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No valid credential */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not an administrator and without a grant for it, or deactivated */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is nothing with this id */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_admin_capabilities: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
                q?: string;
                sort?: string;
                endpoint_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Capabilities */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /** Format: uuid */
                            endpoint_id: string;
                            profile_id: string;
                            beta_name: string;
                            endpoint_name: string | null;
                            /** @enum {string} */
                            verdict: "supported" | "unsupported" | "suspected";
                            /** @enum {string} */
                            source: "learned" | "override";
                            reason: string | null;
                            expires_at: string | null;
                        }[];
                        has_more: boolean;
                        next_cursor: string | null;
                    };
                };
            };
            /** @description A parameter or field is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No valid credential */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not an administrator and without a grant for it, or deactivated */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    put_admin_capabilities_overrides: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** Format: uuid */
                    endpoint_id: string;
                    profile_id: string;
                    beta_name: string;
                    supported: boolean;
                    /** @default null */
                    reason?: string | null;
                };
            };
        };
        responses: {
            /** @description The override */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        endpoint_id: string;
                        profile_id: string;
                        beta_name: string;
                        supported: boolean;
                        reason: string | null;
                        set_by: string;
                        /** Format: date-time */
                        updated_at: string;
                    };
                };
            };
            /** @description A parameter or field is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No valid credential */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not an administrator and without a grant for it, or deactivated */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    delete_admin_capabilities_overrides: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** Format: uuid */
                    endpoint_id: string;
                    profile_id: string;
                    beta_name: string;
                };
            };
        };
        responses: {
            /** @description Taken back */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A parameter or field is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No valid credential */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not an administrator and without a grant for it, or deactivated */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no such override */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_admin_endpoints: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
                q?: string;
                sort?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Endpoints */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /** Format: uuid */
                            id: string;
                            name: string;
                            region: string;
                            /** @enum {string} */
                            routing_prefix: "us" | "eu" | "apac" | "au" | "us-gov" | "global" | "jp" | "in";
                            priority: number;
                            enabled: boolean;
                            is_default: boolean;
                            role_arn: string | null;
                            external_id: string | null;
                            /** @deprecated */
                            inference_profile_arn: string | null;
                            aip_overrides: {
                                /** Format: uuid */
                                endpoint_id: string;
                                model_id: string;
                                aip_arn: string;
                                reason: string | null;
                                set_by: string;
                            }[];
                            /** @enum {string} */
                            health_status: "healthy" | "unhealthy" | "unknown";
                            health_reason: string | null;
                            last_checked_at: string | null;
                            available_models: string[];
                            /** @description What works and probably is a mistake. Health does not depend on it. */
                            warnings: {
                                /** @enum {string} */
                                code: "override_model_mismatch" | "no_inference_profile";
                                /** @description The override that it is about; null for the endpoint. */
                                model_id: string | null;
                                message: string;
                            }[];
                            stats: {
                                requests_1h: number;
                                errors_1h: number;
                                throttles_1h: number;
                                failovers_1h: number;
                                latency_p50_ms_1h: number | null;
                                latency_p95_ms_1h: number | null;
                                first_token_p50_ms_1h: number | null;
                            };
                            /** Format: date-time */
                            created_at: string;
                        }[];
                        has_more: boolean;
                        next_cursor: string | null;
                    };
                };
            };
            /** @description A parameter or field is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No valid credential */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not an administrator and without a grant for it, or deactivated */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    post_admin_endpoints: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    region: string;
                    /** @enum {string} */
                    routing_prefix: "us" | "eu" | "apac" | "au" | "us-gov" | "global" | "jp" | "in";
                    /** @default 100 */
                    priority?: number;
                    /** @default true */
                    enabled?: boolean;
                    /** @default null */
                    role_arn?: string | null;
                    /** @default null */
                    external_id?: string | null;
                    /** @default null */
                    inference_profile_arn?: string | null;
                };
            };
        };
        responses: {
            /** @description The endpoint */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        id: string;
                        name: string;
                        region: string;
                        /** @enum {string} */
                        routing_prefix: "us" | "eu" | "apac" | "au" | "us-gov" | "global" | "jp" | "in";
                        priority: number;
                        enabled: boolean;
                        is_default: boolean;
                        role_arn: string | null;
                        external_id: string | null;
                        /** @deprecated */
                        inference_profile_arn: string | null;
                        aip_overrides: {
                            /** Format: uuid */
                            endpoint_id: string;
                            model_id: string;
                            aip_arn: string;
                            reason: string | null;
                            set_by: string;
                        }[];
                        /** @enum {string} */
                        health_status: "healthy" | "unhealthy" | "unknown";
                        health_reason: string | null;
                        last_checked_at: string | null;
                        available_models: string[];
                        /** @description What works and probably is a mistake. Health does not depend on it. */
                        warnings: {
                            /** @enum {string} */
                            code: "override_model_mismatch" | "no_inference_profile";
                            /** @description The override that it is about; null for the endpoint. */
                            model_id: string | null;
                            message: string;
                        }[];
                        stats: {
                            requests_1h: number;
                            errors_1h: number;
                            throttles_1h: number;
                            failovers_1h: number;
                            latency_p50_ms_1h: number | null;
                            latency_p95_ms_1h: number | null;
                            first_token_p50_ms_1h: number | null;
                        };
                        /** Format: date-time */
                        created_at: string;
                    };
                };
            };
            /** @description A parameter or field is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No valid credential */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not an administrator and without a grant for it, or deactivated */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is a conflict: another endpoint has this name */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_admin_endpoints_id: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The endpoint */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        id: string;
                        name: string;
                        region: string;
                        /** @enum {string} */
                        routing_prefix: "us" | "eu" | "apac" | "au" | "us-gov" | "global" | "jp" | "in";
                        priority: number;
                        enabled: boolean;
                        is_default: boolean;
                        role_arn: string | null;
                        external_id: string | null;
                        /** @deprecated */
                        inference_profile_arn: string | null;
                        aip_overrides: {
                            /** Format: uuid */
                            endpoint_id: string;
                            model_id: string;
                            aip_arn: string;
                            reason: string | null;
                            set_by: string;
                        }[];
                        /** @enum {string} */
                        health_status: "healthy" | "unhealthy" | "unknown";
                        health_reason: string | null;
                        last_checked_at: string | null;
                        available_models: string[];
                        /** @description What works and probably is a mistake. Health does not depend on it. */
                        warnings: {
                            /** @enum {string} */
                            code: "override_model_mismatch" | "no_inference_profile";
                            /** @description The override that it is about; null for the endpoint. */
                            model_id: string | null;
                            message: string;
                        }[];
                        stats: {
                            requests_1h: number;
                            errors_1h: number;
                            throttles_1h: number;
                            failovers_1h: number;
                            latency_p50_ms_1h: number | null;
                            latency_p95_ms_1h: number | null;
                            first_token_p50_ms_1h: number | null;
                        };
                        /** Format: date-time */
                        created_at: string;
                    };
                };
            };
            /** @description A parameter or field is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No valid credential */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not an administrator and without a grant for it, or deactivated */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is nothing with this id */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    put_admin_endpoints_id: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name?: string;
                    region?: string;
                    /** @enum {string} */
                    routing_prefix?: "us" | "eu" | "apac" | "au" | "us-gov" | "global" | "jp" | "in";
                    priority?: number;
                    enabled?: boolean;
                    role_arn?: string | null;
                    external_id?: string | null;
                    inference_profile_arn?: string | null;
                };
            };
        };
        responses: {
            /** @description The endpoint */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        id: string;
                        name: string;
                        region: string;
                        /** @enum {string} */
                        routing_prefix: "us" | "eu" | "apac" | "au" | "us-gov" | "global" | "jp" | "in";
                        priority: number;
                        enabled: boolean;
                        is_default: boolean;
                        role_arn: string | null;
                        external_id: string | null;
                        /** @deprecated */
                        inference_profile_arn: string | null;
                        aip_overrides: {
                            /** Format: uuid */
                            endpoint_id: string;
                            model_id: string;
                            aip_arn: string;
                            reason: string | null;
                            set_by: string;
                        }[];
                        /** @enum {string} */
                        health_status: "healthy" | "unhealthy" | "unknown";
                        health_reason: string | null;
                        last_checked_at: string | null;
                        available_models: string[];
                        /** @description What works and probably is a mistake. Health does not depend on it. */
                        warnings: {
                            /** @enum {string} */
                            code: "override_model_mismatch" | "no_inference_profile";
                            /** @description The override that it is about; null for the endpoint. */
                            model_id: string | null;
                            message: string;
                        }[];
                        stats: {
                            requests_1h: number;
                            errors_1h: number;
                            throttles_1h: number;
                            failovers_1h: number;
                            latency_p50_ms_1h: number | null;
                            latency_p95_ms_1h: number | null;
                            first_token_p50_ms_1h: number | null;
                        };
                        /** Format: date-time */
                        created_at: string;
                    };
                };
            };
            /** @description A parameter or field is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No valid credential */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not an administrator and without a grant for it, or deactivated */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is nothing with this id */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is a conflict: another endpoint has this name, or the default endpoint would be disabled */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    delete_admin_endpoints_id: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A parameter or field is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No valid credential */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not an administrator and without a grant for it, or deactivated */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is nothing with this id */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is the default endpoint */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_admin_endpoints_id_aip_overrides: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Overrides */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /** Format: uuid */
                            endpoint_id: string;
                            model_id: string;
                            aip_arn: string;
                            reason: string | null;
                            set_by: string;
                            /** Format: date-time */
                            created_at: string;
                            /** Format: date-time */
                            updated_at: string;
                            /** @description What works and probably is a mistake. Health does not depend on it. */
                            warnings: {
                                /** @enum {string} */
                                code: "override_model_mismatch" | "no_inference_profile";
                                /** @description The override that it is about; null for the endpoint. */
                                model_id: string | null;
                                message: string;
                            }[];
                        }[];
                    };
                };
            };
            /** @description A parameter or field is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No valid credential */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not an administrator and without a grant for it, or deactivated */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is nothing with this id */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    post_admin_endpoints_id_aip_overrides: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    model_id: string;
                    aip_arn: string;
                    /** @default null */
                    reason?: string | null;
                };
            };
        };
        responses: {
            /** @description The override, replaced */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        endpoint_id: string;
                        model_id: string;
                        aip_arn: string;
                        reason: string | null;
                        set_by: string;
                        /** Format: date-time */
                        created_at: string;
                        /** Format: date-time */
                        updated_at: string;
                        /** @description What works and probably is a mistake. Health does not depend on it. */
                        warnings: {
                            /** @enum {string} */
                            code: "override_model_mismatch" | "no_inference_profile";
                            /** @description The override that it is about; null for the endpoint. */
                            model_id: string | null;
                            message: string;
                        }[];
                    };
                };
            };
            /** @description The override, new */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        endpoint_id: string;
                        model_id: string;
                        aip_arn: string;
                        reason: string | null;
                        set_by: string;
                        /** Format: date-time */
                        created_at: string;
                        /** Format: date-time */
                        updated_at: string;
                        /** @description What works and probably is a mistake. Health does not depend on it. */
                        warnings: {
                            /** @enum {string} */
                            code: "override_model_mismatch" | "no_inference_profile";
                            /** @description The override that it is about; null for the endpoint. */
                            model_id: string | null;
                            message: string;
                        }[];
                    };
                };
            };
            /** @description A parameter or field is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No valid credential */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not an administrator and without a grant for it, or deactivated */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is nothing with this id */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    delete_admin_endpoints_id_aip_overrides_model_id: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                model_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Removed */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A parameter or field is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No valid credential */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not an administrator and without a grant for it, or deactivated */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is nothing with this id */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    post_admin_endpoints_id_check: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description What each permission answered */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        endpoint_id: string;
                        /** Format: date-time */
                        checked_at: string;
                        /** @enum {string} */
                        health_status: "healthy" | "unhealthy" | "unknown";
                        health_reason: string | null;
                        available_models: string[];
                        /** @description What works and probably is a mistake. Health does not depend on it. */
                        warnings: {
                            /** @enum {string} */
                            code: "override_model_mismatch" | "no_inference_profile";
                            /** @description The override that it is about; null for the endpoint. */
                            model_id: string | null;
                            message: string;
                        }[];
                        permissions: {
                            /** @enum {string} */
                            permission: "invoke" | "stream" | "list" | "get" | "quotas";
                            /** @enum {string} */
                            status: "ok" | "denied" | "failed" | "not_checked";
                            message: string | null;
                            target: string | null;
                        }[];
                    };
                };
            };
            /** @description A parameter or field is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No valid credential */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not an administrator and without a grant for it, or deactivated */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is nothing with this id */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    put_admin_endpoints_id_default: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description The endpoint */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        id: string;
                        name: string;
                        region: string;
                        /** @enum {string} */
                        routing_prefix: "us" | "eu" | "apac" | "au" | "us-gov" | "global" | "jp" | "in";
                        priority: number;
                        enabled: boolean;
                        is_default: boolean;
                        role_arn: string | null;
                        external_id: string | null;
                        /** @deprecated */
                        inference_profile_arn: string | null;
                        aip_overrides: {
                            /** Format: uuid */
                            endpoint_id: string;
                            model_id: string;
                            aip_arn: string;
                            reason: string | null;
                            set_by: string;
                        }[];
                        /** @enum {string} */
                        health_status: "healthy" | "unhealthy" | "unknown";
                        health_reason: string | null;
                        last_checked_at: string | null;
                        available_models: string[];
                        /** @description What works and probably is a mistake. Health does not depend on it. */
                        warnings: {
                            /** @enum {string} */
                            code: "override_model_mismatch" | "no_inference_profile";
                            /** @description The override that it is about; null for the endpoint. */
                            model_id: string | null;
                            message: string;
                        }[];
                        stats: {
                            requests_1h: number;
                            errors_1h: number;
                            throttles_1h: number;
                            failovers_1h: number;
                            latency_p50_ms_1h: number | null;
                            latency_p95_ms_1h: number | null;
                            first_token_p50_ms_1h: number | null;
                        };
                        /** Format: date-time */
                        created_at: string;
                    };
                };
            };
            /** @description A parameter or field is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No valid credential */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not an administrator and without a grant for it, or deactivated */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is nothing with this id */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is disabled */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_admin_endpoints_id_drain: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Who uses it, and what follows */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        endpoint_id: string;
                        name: string;
                        enabled: boolean;
                        /** @description The default endpoint cannot be taken out. */
                        is_default: boolean;
                        /** @description Calls of the last hour, from their records. */
                        requests_1h: number;
                        teams: {
                            /** Format: uuid */
                            team_id: string;
                            name: string;
                            /** @description The best other endpoint of the team; null when its calls would be refused. */
                            next: {
                                /** Format: uuid */
                                endpoint_id: string;
                                name: string;
                                /** @enum {string} */
                                health_status: "healthy" | "unhealthy" | "unknown";
                            } | null;
                            /**
                             * @description Where the team is after this endpoint is disabled. A stopped team gets 503.
                             * @enum {string}
                             */
                            if_disabled: "next_endpoint" | "stopped";
                            /**
                             * @description Where the team is after this endpoint is deleted. Without an assignment it uses the default one.
                             * @enum {string}
                             */
                            if_deleted: "next_endpoint" | "default_endpoint" | "stopped";
                        }[];
                    };
                };
            };
            /** @description A parameter or field is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No valid credential */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not an administrator and without a grant for it, or deactivated */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is nothing with this id */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_admin_endpoints_id_models: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Profiles */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            profile_id: string;
                            model_id: string;
                            name: string;
                            status: string;
                            type: string;
                        }[];
                        /** @description Why nothing can be shown, when nothing can. */
                        unavailable_reason?: string;
                    };
                };
            };
            /** @description A parameter or field is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No valid credential */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not an administrator and without a grant for it, or deactivated */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is nothing with this id */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_admin_endpoints_id_quotas: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Quotas */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            code: string;
                            name: string;
                            value: number;
                            unit: string;
                            adjustable: boolean;
                        }[];
                        /** Format: date-time */
                        fetched_at: string;
                        /** @description Why nothing can be shown, when nothing can. */
                        unavailable_reason?: string;
                    };
                };
            };
            /** @description A parameter or field is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No valid credential */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not an administrator and without a grant for it, or deactivated */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is nothing with this id */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_admin_events: {
        parameters: {
            query?: {
                topics?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Events until either side ends */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            /** @description A parameter or field is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No valid credential */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not an administrator and without a grant for it, or deactivated */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_admin_health_history: {
        parameters: {
            query?: {
                at?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The hour */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: date-time */
                        from: string;
                        /** Format: date-time */
                        to: string;
                        endpoints: {
                            /** Format: uuid */
                            id: string;
                            name: string;
                            minutes: {
                                /** Format: date-time */
                                at: string;
                                requests: number;
                                errors: number;
                                throttled: number;
                                first_token_p95_ms: number | null;
                            }[];
                        }[];
                    };
                };
            };
            /** @description A parameter or field is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No valid credential */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not an administrator and without a grant for it, or deactivated */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_admin_idps: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
                q?: string;
                sort?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Providers */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /** Format: uuid */
                            id: string;
                            name: string;
                            issuer_url: string;
                            audience: string;
                            auto_provision: boolean;
                            /** @enum {string} */
                            default_role: "member" | "admin";
                            allowed_domains: string[] | null;
                            /** @enum {string} */
                            user_claim: "email" | "preferred_username" | "upn" | "oid" | "name" | "sub" | "auto";
                            enabled: boolean;
                            /** @enum {string} */
                            logout: "local" | "provider";
                            client_id: string | null;
                            has_client_secret: boolean;
                            jwks_url: string | null;
                            /** Format: date-time */
                            created_at: string;
                        }[];
                        has_more: boolean;
                        next_cursor: string | null;
                    };
                };
            };
            /** @description A parameter or field is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No valid credential */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not an administrator and without a grant for it, or deactivated */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    post_admin_idps: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    issuer_url: string;
                    audience: string;
                    /** @default false */
                    auto_provision?: boolean;
                    /**
                     * @default member
                     * @enum {string}
                     */
                    default_role?: "member" | "admin";
                    allowed_domains?: string[] | null;
                    /**
                     * @default auto
                     * @enum {string}
                     */
                    user_claim?: "email" | "preferred_username" | "upn" | "oid" | "name" | "sub" | "auto";
                    /** @default true */
                    enabled?: boolean;
                    /**
                     * @default local
                     * @enum {string}
                     */
                    logout?: "local" | "provider";
                    /** @default null */
                    client_id?: string | null;
                    /** @default null */
                    client_secret?: string | null;
                    /** @default null */
                    jwks_url?: string | null;
                };
            };
        };
        responses: {
            /** @description The provider */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        id: string;
                        name: string;
                        issuer_url: string;
                        audience: string;
                        auto_provision: boolean;
                        /** @enum {string} */
                        default_role: "member" | "admin";
                        allowed_domains: string[] | null;
                        /** @enum {string} */
                        user_claim: "email" | "preferred_username" | "upn" | "oid" | "name" | "sub" | "auto";
                        enabled: boolean;
                        /** @enum {string} */
                        logout: "local" | "provider";
                        client_id: string | null;
                        has_client_secret: boolean;
                        jwks_url: string | null;
                        /** Format: date-time */
                        created_at: string;
                    };
                };
            };
            /** @description A parameter or field is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No valid credential */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not an administrator and without a grant for it, or deactivated */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is already one with this issuer and audience */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    post_admin_idps_test: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name?: string;
                    issuer_url: string;
                    audience?: string;
                    /** @default false */
                    auto_provision?: boolean;
                    /**
                     * @default member
                     * @enum {string}
                     */
                    default_role?: "member" | "admin";
                    allowed_domains?: string[] | null;
                    /**
                     * @default auto
                     * @enum {string}
                     */
                    user_claim?: "email" | "preferred_username" | "upn" | "oid" | "name" | "sub" | "auto";
                    /** @default true */
                    enabled?: boolean;
                    /**
                     * @default local
                     * @enum {string}
                     */
                    logout?: "local" | "provider";
                    /** @default null */
                    client_id?: string | null;
                    /** @default null */
                    client_secret?: string | null;
                    /** @default null */
                    jwks_url?: string | null;
                    token?: string;
                };
            };
        };
        responses: {
            /** @description What worked and what did not */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        success: boolean;
                        discovery: {
                            ok: boolean;
                            message: string;
                            jwks_url: string | null;
                            authorization_endpoint: string | null;
                            token_endpoint: string | null;
                        };
                        signing_keys: {
                            ok: boolean;
                            message: string;
                            usable: number;
                            key_ids: string[];
                        };
                        token: {
                            ok: boolean;
                            message: string;
                            claims: {
                                [key: string]: unknown;
                            } | null;
                            user_name: string | null;
                            domain_allowed: boolean | null;
                        } | null;
                    };
                };
            };
            /** @description A parameter or field is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No valid credential */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not an administrator and without a grant for it, or deactivated */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_admin_idps_id: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The provider */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        id: string;
                        name: string;
                        issuer_url: string;
                        audience: string;
                        auto_provision: boolean;
                        /** @enum {string} */
                        default_role: "member" | "admin";
                        allowed_domains: string[] | null;
                        /** @enum {string} */
                        user_claim: "email" | "preferred_username" | "upn" | "oid" | "name" | "sub" | "auto";
                        enabled: boolean;
                        /** @enum {string} */
                        logout: "local" | "provider";
                        client_id: string | null;
                        has_client_secret: boolean;
                        jwks_url: string | null;
                        /** Format: date-time */
                        created_at: string;
                    };
                };
            };
            /** @description A parameter or field is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No valid credential */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not an administrator and without a grant for it, or deactivated */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is nothing with this id */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    delete_admin_idps_id: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A parameter or field is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No valid credential */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not an administrator and without a grant for it, or deactivated */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is nothing with this id */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    patch_admin_idps_id: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name?: string;
                    issuer_url?: string;
                    audience?: string;
                    auto_provision?: boolean;
                    /** @enum {string} */
                    default_role?: "member" | "admin";
                    allowed_domains?: string[] | null;
                    /** @enum {string} */
                    user_claim?: "email" | "preferred_username" | "upn" | "oid" | "name" | "sub" | "auto";
                    enabled?: boolean;
                    /** @enum {string} */
                    logout?: "local" | "provider";
                    client_id?: string | null;
                    client_secret?: string | null;
                    jwks_url?: string | null;
                };
            };
        };
        responses: {
            /** @description The provider */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        id: string;
                        name: string;
                        issuer_url: string;
                        audience: string;
                        auto_provision: boolean;
                        /** @enum {string} */
                        default_role: "member" | "admin";
                        allowed_domains: string[] | null;
                        /** @enum {string} */
                        user_claim: "email" | "preferred_username" | "upn" | "oid" | "name" | "sub" | "auto";
                        enabled: boolean;
                        /** @enum {string} */
                        logout: "local" | "provider";
                        client_id: string | null;
                        has_client_secret: boolean;
                        jwks_url: string | null;
                        /** Format: date-time */
                        created_at: string;
                    };
                };
            };
            /** @description A parameter or field is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No valid credential */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not an administrator and without a grant for it, or deactivated */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is nothing with this id */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is already one with this issuer and audience */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_admin_idps_id_scim: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Settings and counts */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        scim_admin_group: string | null;
                        users: number;
                        groups: number;
                    };
                };
            };
            /** @description A parameter or field is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No valid credential */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not an administrator and without a grant for it, or deactivated */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is nothing with this id */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    put_admin_idps_id_scim: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    scim_admin_group: string | null;
                };
            };
        };
        responses: {
            /** @description Settings and counts */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        scim_admin_group: string | null;
                        users: number;
                        groups: number;
                    };
                };
            };
            /** @description A parameter or field is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No valid credential */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not an administrator and without a grant for it, or deactivated */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is nothing with this id */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_admin_idps_id_scim_tokens: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
                q?: string;
                sort?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Tokens */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /** Format: uuid */
                            id: string;
                            name: string;
                            prefix: string;
                            created_by: string;
                            /** Format: date-time */
                            created_at: string;
                            expires_at: string | null;
                            last_used_at: string | null;
                        }[];
                        has_more: boolean;
                        next_cursor: string | null;
                    };
                };
            };
            /** @description A parameter or field is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No valid credential */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not an administrator and without a grant for it, or deactivated */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is nothing with this id */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    post_admin_idps_id_scim_tokens: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @default SCIM */
                    name?: string;
                    expires_at?: string | null;
                };
            };
        };
        responses: {
            /** @description The token */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        id: string;
                        name: string;
                        prefix: string;
                        created_by: string;
                        /** Format: date-time */
                        created_at: string;
                        expires_at: string | null;
                        last_used_at: string | null;
                        token: string;
                    };
                };
            };
            /** @description A parameter or field is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No valid credential */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not an administrator and without a grant for it, or deactivated */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is nothing with this id */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    delete_admin_idps_id_scim_tokens_token_id: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                token_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A parameter or field is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No valid credential */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not an administrator and without a grant for it, or deactivated */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is nothing with this id */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_admin_keys: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
                q?: string;
                sort?: string;
                user_id?: string;
                team_id?: string;
                status?: "active" | "revoked" | "expired";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Keys without their secrets */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /** Format: uuid */
                            id: string;
                            name: string;
                            prefix: string;
                            user_id: string | null;
                            team_id: string | null;
                            rate_limit_rpm: number | null;
                            allowed_models: string[] | null;
                            expires_at: string | null;
                            revoked_at: string | null;
                            /** @enum {string} */
                            status: "active" | "revoked" | "expired";
                            last_used_at: string | null;
                            /** Format: date-time */
                            created_at: string;
                            spend_usd: number;
                        }[];
                        has_more: boolean;
                        next_cursor: string | null;
                    };
                };
            };
            /** @description A parameter or field is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No valid credential */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not an administrator and without a grant for it, or deactivated */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    post_admin_keys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    rate_limit_rpm?: number | null;
                    user_id?: string | null;
                    team_id?: string | null;
                    expires_at?: string | null;
                    allowed_models?: string[] | null;
                };
            };
        };
        responses: {
            /** @description The key */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        id: string;
                        name: string;
                        prefix: string;
                        user_id: string | null;
                        team_id: string | null;
                        rate_limit_rpm: number | null;
                        allowed_models: string[] | null;
                        expires_at: string | null;
                        revoked_at: string | null;
                        /** @enum {string} */
                        status: "active" | "revoked" | "expired";
                        last_used_at: string | null;
                        /** Format: date-time */
                        created_at: string;
                        spend_usd: number;
                        key: string;
                    };
                };
            };
            /** @description A parameter or field is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No valid credential */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not an administrator and without a grant for it, or deactivated */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_admin_keys_key_id: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                key_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The key */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        id: string;
                        name: string;
                        prefix: string;
                        user_id: string | null;
                        team_id: string | null;
                        rate_limit_rpm: number | null;
                        allowed_models: string[] | null;
                        expires_at: string | null;
                        revoked_at: string | null;
                        /** @enum {string} */
                        status: "active" | "revoked" | "expired";
                        last_used_at: string | null;
                        /** Format: date-time */
                        created_at: string;
                        spend_usd: number;
                        addresses: {
                            address: string;
                            /** Format: date-time */
                            first_seen_at: string;
                            /** Format: date-time */
                            last_seen_at: string;
                        }[];
                    };
                };
            };
            /** @description A parameter or field is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No valid credential */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not an administrator and without a grant for it, or deactivated */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is nothing with this id */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    delete_admin_keys_key_id: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                key_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A parameter or field is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No valid credential */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not an administrator and without a grant for it, or deactivated */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is nothing with this id */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The key is not revoked */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    patch_admin_keys_key_id: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                key_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name?: string;
                    rate_limit_rpm?: number | null;
                    user_id?: string | null;
                    team_id?: string | null;
                    expires_at?: string | null;
                    allowed_models?: string[] | null;
                };
            };
        };
        responses: {
            /** @description The key */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        id: string;
                        name: string;
                        prefix: string;
                        user_id: string | null;
                        team_id: string | null;
                        rate_limit_rpm: number | null;
                        allowed_models: string[] | null;
                        expires_at: string | null;
                        revoked_at: string | null;
                        /** @enum {string} */
                        status: "active" | "revoked" | "expired";
                        last_used_at: string | null;
                        /** Format: date-time */
                        created_at: string;
                        spend_usd: number;
                    };
                };
            };
            /** @description A parameter or field is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No valid credential */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not an administrator and without a grant for it, or deactivated */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is nothing with this id */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    post_admin_keys_key_id_revoke: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                key_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description The revoked key */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        id: string;
                        name: string;
                        prefix: string;
                        user_id: string | null;
                        team_id: string | null;
                        rate_limit_rpm: number | null;
                        allowed_models: string[] | null;
                        expires_at: string | null;
                        revoked_at: string | null;
                        /** @enum {string} */
                        status: "active" | "revoked" | "expired";
                        last_used_at: string | null;
                        /** Format: date-time */
                        created_at: string;
                        spend_usd: number;
                    };
                };
            };
            /** @description A parameter or field is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No valid credential */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not an administrator and without a grant for it, or deactivated */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is nothing with this id */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    post_admin_keys_key_id_rotate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                key_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @default 0 */
                    grace_seconds?: number;
                };
            };
        };
        responses: {
            /** @description The new key, shown this once */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        id: string;
                        name: string;
                        prefix: string;
                        user_id: string | null;
                        team_id: string | null;
                        rate_limit_rpm: number | null;
                        allowed_models: string[] | null;
                        expires_at: string | null;
                        revoked_at: string | null;
                        /** @enum {string} */
                        status: "active" | "revoked" | "expired";
                        last_used_at: string | null;
                        /** Format: date-time */
                        created_at: string;
                        spend_usd: number;
                        key: string;
                        previous_key: {
                            /** Format: uuid */
                            id: string;
                            /** Format: date-time */
                            revoked_at: string;
                        };
                    };
                };
            };
            /** @description A parameter or field is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No valid credential */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not an administrator and without a grant for it, or deactivated */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is nothing with this id */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The key is revoked, expired or rotated already */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_admin_logs: {
        parameters: {
            query?: {
                level?: "info" | "warn" | "error";
                limit?: number;
                q?: string;
                after?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Lines */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        instance_id: string;
                        cursor: string;
                        /** @description Entries that `limit` had no room for: the oldest. */
                        left_out: number;
                        data: {
                            /** Format: date-time */
                            at: string;
                            /** @enum {string} */
                            level: "info" | "warn" | "error";
                            text: string;
                        }[];
                    };
                };
            };
            /** @description A parameter or field is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No valid credential */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not an administrator and without a grant for it, or deactivated */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_admin_managed_settings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The document; empty when there is none */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        settings: {
                            [key: string]: unknown;
                        };
                        updated_at: string | null;
                        updated_by: string | null;
                    };
                };
            };
            /** @description No valid credential */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not an administrator and without a grant for it, or deactivated */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    put_admin_managed_settings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    settings: {
                        [key: string]: unknown;
                    };
                };
            };
        };
        responses: {
            /** @description The document */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        settings: {
                            [key: string]: unknown;
                        };
                        updated_at: string | null;
                        updated_by: string | null;
                    };
                };
            };
            /** @description A parameter or field is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No valid credential */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not an administrator and without a grant for it, or deactivated */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    delete_admin_managed_settings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted, also when there was none */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No valid credential */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not an administrator and without a grant for it, or deactivated */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_admin_model_mappings: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
                q?: string;
                sort?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Mappings */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            vendor_prefix: string;
                            hosted_model_id: string;
                            display_name: string;
                            context_window: number | null;
                            max_output_tokens: number | null;
                            /** @enum {string} */
                            source: "seed" | "discovery" | "admin";
                            /** Format: date-time */
                            created_at: string;
                        }[];
                        has_more: boolean;
                        next_cursor: string | null;
                    };
                };
            };
            /** @description A parameter or field is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No valid credential */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not an administrator and without a grant for it, or deactivated */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    put_admin_model_mappings_vendor_prefix: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                vendor_prefix: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    hosted_model_id: string;
                    display_name?: string;
                };
            };
        };
        responses: {
            /** @description The mapping */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        vendor_prefix: string;
                        hosted_model_id: string;
                        display_name: string;
                        context_window: number | null;
                        max_output_tokens: number | null;
                        /** @enum {string} */
                        source: "seed" | "discovery" | "admin";
                        /** Format: date-time */
                        created_at: string;
                    };
                };
            };
            /** @description A parameter or field is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No valid credential */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not an administrator and without a grant for it, or deactivated */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    delete_admin_model_mappings_vendor_prefix: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                vendor_prefix: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Removed */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A parameter or field is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No valid credential */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not an administrator and without a grant for it, or deactivated */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is nothing with this id */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    post_admin_models_resolve: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    model: string;
                    /** Format: uuid */
                    endpoint_id?: string;
                };
            };
        };
        responses: {
            /** @description The explanation */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        model: string;
                        resolved: boolean;
                        hosted_model_id: string | null;
                        long_context: boolean;
                        steps: {
                            step: string;
                            matched: boolean;
                            detail: string;
                        }[];
                        endpoints: {
                            /** Format: uuid */
                            endpoint_id: string;
                            name: string;
                            /** @enum {string} */
                            health_status: "healthy" | "unhealthy" | "unknown";
                            invoked_id: string | null;
                            via: string | null;
                            detail: string;
                        }[];
                    };
                };
            };
            /** @description A parameter or field is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No valid credential */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not an administrator and without a grant for it, or deactivated */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is nothing with this id */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    post_admin_notifications_activate: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description The active destination */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {string} */
                        destination_type: "webhook" | "topic" | "event_bus";
                        destination: string;
                        has_secret: boolean;
                        categories: {
                            budget: boolean;
                            rate_limit: boolean;
                            keys: boolean;
                            digest: boolean;
                        };
                        tested_at: string | null;
                        /** Format: date-time */
                        updated_at: string;
                        updated_by: string;
                    };
                };
            };
            /** @description A parameter or field is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No valid credential */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not an administrator and without a grant for it, or deactivated */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no draft, or it was not tested with success */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    put_admin_notifications_categories: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    categories: {
                        budget?: boolean;
                        rate_limit?: boolean;
                        keys?: boolean;
                        digest?: boolean;
                    };
                };
            };
        };
        responses: {
            /** @description The active destination */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {string} */
                        destination_type: "webhook" | "topic" | "event_bus";
                        destination: string;
                        has_secret: boolean;
                        categories: {
                            budget: boolean;
                            rate_limit: boolean;
                            keys: boolean;
                            digest: boolean;
                        };
                        tested_at: string | null;
                        /** Format: date-time */
                        updated_at: string;
                        updated_by: string;
                    };
                };
            };
            /** @description A parameter or field is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No valid credential */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not an administrator and without a grant for it, or deactivated */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No destination is active */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_admin_notifications_config: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Destinations and history */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        active: {
                            /** @enum {string} */
                            destination_type: "webhook" | "topic" | "event_bus";
                            destination: string;
                            has_secret: boolean;
                            categories: {
                                budget: boolean;
                                rate_limit: boolean;
                                keys: boolean;
                                digest: boolean;
                            };
                            tested_at: string | null;
                            /** Format: date-time */
                            updated_at: string;
                            updated_by: string;
                        } | null;
                        draft: {
                            /** @enum {string} */
                            destination_type: "webhook" | "topic" | "event_bus";
                            destination: string;
                            has_secret: boolean;
                            categories: {
                                budget: boolean;
                                rate_limit: boolean;
                                keys: boolean;
                                digest: boolean;
                            };
                            tested_at: string | null;
                            /** Format: date-time */
                            updated_at: string;
                            updated_by: string;
                        } | null;
                        env_fallback: {
                            /** @enum {string} */
                            destination_type: "webhook" | "topic" | "event_bus";
                            destination: string;
                        } | null;
                        history: {
                            /** Format: uuid */
                            id: string;
                            /** Format: uuid */
                            event_id: string;
                            event_type: string;
                            /** @enum {string} */
                            destination_type: "webhook" | "topic" | "event_bus";
                            destination: string;
                            /** @enum {string} */
                            status: "delivered" | "failed";
                            attempt: number;
                            response_status: number | null;
                            error: string | null;
                            duration_ms: number;
                            /** Format: date-time */
                            created_at: string;
                        }[];
                    };
                };
            };
            /** @description No valid credential */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not an administrator and without a grant for it, or deactivated */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    put_admin_notifications_config: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    destination_type: "webhook" | "topic" | "event_bus";
                    destination: string;
                    secret?: string | null;
                    categories?: {
                        budget?: boolean;
                        rate_limit?: boolean;
                        keys?: boolean;
                        digest?: boolean;
                    };
                };
            };
        };
        responses: {
            /** @description The draft */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {string} */
                        destination_type: "webhook" | "topic" | "event_bus";
                        destination: string;
                        has_secret: boolean;
                        categories: {
                            budget: boolean;
                            rate_limit: boolean;
                            keys: boolean;
                            digest: boolean;
                        };
                        tested_at: string | null;
                        /** Format: date-time */
                        updated_at: string;
                        updated_by: string;
                    };
                };
            };
            /** @description A parameter or field is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No valid credential */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not an administrator and without a grant for it, or deactivated */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    delete_admin_notifications_config: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done, also when there was none */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No valid credential */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not an administrator and without a grant for it, or deactivated */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_admin_notifications_digest: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The digest */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        is_on: boolean;
                        /** Format: date-time */
                        next_at: string;
                        payload: {
                            source: string;
                            version: string;
                            /** @constant */
                            category: "digest";
                            /** @constant */
                            event_type: "weekly_digest";
                            /** @constant */
                            severity: "info";
                            user_identity: null;
                            team_id: null;
                            team_name: null;
                            detail: {
                                from: string;
                                to: string;
                                tz: string;
                                spend_usd: number;
                                requests: number;
                                errors: number;
                                active_users: number;
                                tokens: number;
                                unpriced_requests: number;
                                previous: {
                                    spend_usd: number;
                                    requests: number;
                                    errors: number;
                                    active_users: number;
                                    tokens: number;
                                };
                                change: {
                                    spend_percent: number | null;
                                    requests_percent: number | null;
                                    tokens_percent: number | null;
                                };
                                top_people: {
                                    name: string;
                                    spend_usd: number;
                                    requests: number;
                                    tokens: number;
                                }[];
                                top_teams: {
                                    name: string;
                                    spend_usd: number;
                                    requests: number;
                                    tokens: number;
                                }[];
                                top_models: {
                                    name: string;
                                    spend_usd: number;
                                    requests: number;
                                    tokens: number;
                                }[];
                                budgets: {
                                    count: number;
                                    worst: {
                                        /** @enum {string} */
                                        scope: "user" | "team";
                                        name: string;
                                        /** @enum {string} */
                                        status: "warning" | "shaped" | "blocked";
                                        percent: number;
                                        spend_usd: number;
                                        limit_usd: number;
                                        top_up_usd: number;
                                    }[];
                                };
                                endpoints: {
                                    endpoint: string;
                                    requests: number;
                                    errors: number;
                                    error_share: number;
                                }[];
                                expiring_keys: {
                                    count: number;
                                    first: {
                                        /** Format: uuid */
                                        key_id: string;
                                        key_name: string;
                                        /** Format: date-time */
                                        expires_at: string;
                                    }[];
                                };
                                links: {
                                    analytics: string;
                                    budgets: string;
                                    keys: string;
                                };
                                text: string;
                            };
                            /** Format: date-time */
                            timestamp: string;
                        };
                    };
                };
            };
            /** @description No valid credential */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not an administrator and without a grant for it, or deactivated */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    delete_admin_notifications_draft: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done, also when there was none */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No valid credential */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not an administrator and without a grant for it, or deactivated */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    post_admin_notifications_test: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description What came of it */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        success: boolean;
                        response_status: number | null;
                        error: string | null;
                        duration_ms: number;
                    };
                };
            };
            /** @description A parameter or field is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No valid credential */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not an administrator and without a grant for it, or deactivated */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no draft */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_admin_pricing: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
                q?: string;
                sort?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Prices */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            model_id: string;
                            /** @enum {string} */
                            scope: "global" | "geo" | "us-gov";
                            input_usd_per_mtok: number | null;
                            output_usd_per_mtok: number | null;
                            cache_read_usd_per_mtok: number | null;
                            cache_write_5m_usd_per_mtok: number | null;
                            cache_write_1h_usd_per_mtok: (number | null) | null;
                            long_context: {
                                above_prompt_tokens: number;
                                input_usd_per_mtok: number;
                                output_usd_per_mtok: number;
                                cache_read_usd_per_mtok: number;
                                cache_write_5m_usd_per_mtok: number;
                                cache_write_1h_usd_per_mtok: number | null;
                            } | null;
                            source: ("seed" | "price_list" | "admin") | null;
                            updated_at: string | null;
                        }[];
                        has_more: boolean;
                        next_cursor: string | null;
                    };
                };
            };
            /** @description A parameter or field is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No valid credential */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not an administrator and without a grant for it, or deactivated */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    post_admin_pricing_refresh: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description What came of it */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        success: boolean;
                        error: string | null;
                        listed: number;
                        changed: number;
                        skipped: {
                            name: string;
                            reason: string;
                        }[];
                        regions: {
                            region: string;
                            listed: number;
                            error: string | null;
                        }[];
                    };
                };
            };
            /** @description A parameter or field is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No valid credential */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not an administrator and without a grant for it, or deactivated */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    put_admin_pricing_model_id: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                model_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    input_usd_per_mtok: number;
                    output_usd_per_mtok: number;
                    cache_read_usd_per_mtok: number;
                    cache_write_5m_usd_per_mtok: number;
                    cache_write_1h_usd_per_mtok?: number | null;
                    long_context?: {
                        above_prompt_tokens: number;
                        input_usd_per_mtok: number;
                        output_usd_per_mtok: number;
                        cache_read_usd_per_mtok: number;
                        cache_write_5m_usd_per_mtok: number;
                        cache_write_1h_usd_per_mtok?: number | null;
                    } | null;
                    /** @enum {string} */
                    scope?: "global" | "geo" | "us-gov" | "both";
                };
            };
        };
        responses: {
            /** @description The prices that were set */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            model_id: string;
                            /** @enum {string} */
                            scope: "global" | "geo" | "us-gov";
                            input_usd_per_mtok: number | null;
                            output_usd_per_mtok: number | null;
                            cache_read_usd_per_mtok: number | null;
                            cache_write_5m_usd_per_mtok: number | null;
                            cache_write_1h_usd_per_mtok: (number | null) | null;
                            long_context: {
                                above_prompt_tokens: number;
                                input_usd_per_mtok: number;
                                output_usd_per_mtok: number;
                                cache_read_usd_per_mtok: number;
                                cache_write_5m_usd_per_mtok: number;
                                cache_write_1h_usd_per_mtok: number | null;
                            } | null;
                            source: ("seed" | "price_list" | "admin") | null;
                            updated_at: string | null;
                        }[];
                    };
                };
            };
            /** @description A parameter or field is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No valid credential */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not an administrator and without a grant for it, or deactivated */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    delete_admin_pricing_model_id: {
        parameters: {
            query?: {
                scope?: "global" | "geo" | "us-gov" | "both";
            };
            header?: never;
            path: {
                model_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Removed */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A parameter or field is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No valid credential */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not an administrator and without a grant for it, or deactivated */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is nothing with this id */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_admin_requests: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
                q?: string;
                sort?: string;
                status?: string;
                model?: string;
                endpoint?: string;
                session_id?: string;
                tool?: string;
                flag?: "estimated" | "aborted" | "unpriced" | "probe" | "clamped" | "price_estimated";
                reason?: "budget" | "rate_limit" | "token_limit" | "concurrency" | "model_access" | "credential" | "invalid_request" | "throttled_by_aws" | "aws_access" | "aws_unavailable" | "guardrail" | "timeout" | "network" | "client_left" | "gateway";
                min_cost_usd?: string;
                max_cost_usd?: string;
                min_duration_ms?: string;
                max_duration_ms?: string;
                from?: string;
                to?: string;
                user?: string;
                team?: string;
                key?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Calls */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            request_id: string;
                            /** Format: date-time */
                            at: string;
                            status: number;
                            error_type: string | null;
                            /** @description Why the request was rejected or failed. Null for requests that succeeded, and for records from before reasons were kept. */
                            reason: {
                                /** @enum {string} */
                                kind: "budget" | "rate_limit" | "token_limit" | "concurrency" | "model_access" | "credential" | "invalid_request" | "throttled_by_aws" | "aws_access" | "aws_unavailable" | "guardrail" | "timeout" | "network" | "client_left" | "gateway";
                                /** @description A code of the error catalogue, or the name of an AWS exception. */
                                code: string;
                                /** @description The sentence that the client received. Null when `store_failure_messages` is false. */
                                message: string | null;
                                /** @description The limit that was reached, as it was then. Null for other causes. */
                                limit: {
                                    /** @enum {string} */
                                    scope: "key" | "user" | "team" | "default";
                                    id: string;
                                    name: string;
                                    limit: number;
                                    used: number;
                                    /** @enum {string} */
                                    unit: "usd" | "requests_per_minute";
                                    /** Format: date-time */
                                    resets_at: string;
                                } | null;
                            } | null;
                            /** @description What to do about it. */
                            hint: {
                                text: string;
                                /** @description An address on this gateway. */
                                link: string;
                            } | null;
                            user: string | null;
                            user_id: string | null;
                            team: string | null;
                            team_id: string | null;
                            key: string | null;
                            key_id: string | null;
                            model: string;
                            hosted_model: string | null;
                            endpoint: string | null;
                            endpoint_id: string | null;
                            streaming: boolean;
                            stop_reason: string | null;
                            tokens: {
                                input: number;
                                output: number;
                                cache_read: number;
                                cache_write_5m: number;
                                cache_write_1h: number;
                            };
                            web_searches: number;
                            cost_usd: number;
                            duration_ms: number;
                            first_token_ms: number | null;
                            session_id: string | null;
                            agent_id: string | null;
                            parent_agent_id: string | null;
                            tools: string[];
                            flags: string[];
                        }[];
                        has_more: boolean;
                        next_cursor: string | null;
                    };
                };
            };
            /** @description A parameter or field is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No valid credential */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not an administrator and without a grant for it, or deactivated */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_admin_requests_request_id: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                request_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The call */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        request_id: string;
                        /** Format: date-time */
                        at: string;
                        status: number;
                        error_type: string | null;
                        /** @description Why the request was rejected or failed. Null for requests that succeeded, and for records from before reasons were kept. */
                        reason: {
                            /** @enum {string} */
                            kind: "budget" | "rate_limit" | "token_limit" | "concurrency" | "model_access" | "credential" | "invalid_request" | "throttled_by_aws" | "aws_access" | "aws_unavailable" | "guardrail" | "timeout" | "network" | "client_left" | "gateway";
                            /** @description A code of the error catalogue, or the name of an AWS exception. */
                            code: string;
                            /** @description The sentence that the client received. Null when `store_failure_messages` is false. */
                            message: string | null;
                            /** @description The limit that was reached, as it was then. Null for other causes. */
                            limit: {
                                /** @enum {string} */
                                scope: "key" | "user" | "team" | "default";
                                id: string;
                                name: string;
                                limit: number;
                                used: number;
                                /** @enum {string} */
                                unit: "usd" | "requests_per_minute";
                                /** Format: date-time */
                                resets_at: string;
                            } | null;
                        } | null;
                        /** @description What to do about it. */
                        hint: {
                            text: string;
                            /** @description An address on this gateway. */
                            link: string;
                        } | null;
                        user: string | null;
                        user_id: string | null;
                        team: string | null;
                        team_id: string | null;
                        key: string | null;
                        key_id: string | null;
                        model: string;
                        hosted_model: string | null;
                        endpoint: string | null;
                        endpoint_id: string | null;
                        streaming: boolean;
                        stop_reason: string | null;
                        tokens: {
                            input: number;
                            output: number;
                            cache_read: number;
                            cache_write_5m: number;
                            cache_write_1h: number;
                        };
                        web_searches: number;
                        cost_usd: number;
                        duration_ms: number;
                        first_token_ms: number | null;
                        session_id: string | null;
                        agent_id: string | null;
                        parent_agent_id: string | null;
                        tools: string[];
                        flags: string[];
                        price: {
                            /** @enum {string} */
                            kind: "input" | "output" | "cache_read" | "cache_write_5m" | "cache_write_1h";
                            tokens: number;
                            usd_per_mtok: number;
                            usd: number;
                        }[];
                        /** @description The part of `cost_usd` that its web searches cost; `price` holds the rest. */
                        web_search_cost_usd: number;
                        attempts: {
                            endpoint: string;
                            hosted_model: string;
                            status: number;
                            error: string | null;
                            reason: {
                                /** @enum {string} */
                                kind: "budget" | "rate_limit" | "token_limit" | "concurrency" | "model_access" | "credential" | "invalid_request" | "throttled_by_aws" | "aws_access" | "aws_unavailable" | "guardrail" | "timeout" | "network" | "client_left" | "gateway";
                                /** @description A code of the error catalogue, or the name of an AWS exception. */
                                code: string;
                                /** @description The sentence that the client received. Null when `store_failure_messages` is false. */
                                message: string | null;
                                /** @description The limit that was reached, as it was then. Null for other causes. */
                                limit: {
                                    /** @enum {string} */
                                    scope: "key" | "user" | "team" | "default";
                                    id: string;
                                    name: string;
                                    limit: number;
                                    used: number;
                                    /** @enum {string} */
                                    unit: "usd" | "requests_per_minute";
                                    /** Format: date-time */
                                    resets_at: string;
                                } | null;
                            } | null;
                            duration_ms: number;
                        }[];
                        routing: string | null;
                        betas: {
                            sent: string[];
                            stripped: string[];
                        };
                        repairs: string[];
                        rounds: {
                            round: number;
                            /** Format: date-time */
                            at: string;
                            status: number;
                            endpoint: string | null;
                            hosted_model: string | null;
                            stop_reason: string | null;
                            tokens: {
                                input: number;
                                output: number;
                                cache_read: number;
                                cache_write_5m: number;
                                cache_write_1h: number;
                            };
                            web_searches: number;
                            cost_usd: number;
                            duration_ms: number;
                        }[];
                    };
                };
            };
            /** @description A parameter or field is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No valid credential */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not an administrator and without a grant for it, or deactivated */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is nothing with this id */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_admin_security: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The posture */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        version: string;
                        /** Format: date-time */
                        checked_at: string;
                        checks: {
                            id: string;
                            title: string;
                            /** @enum {string} */
                            state: "bad" | "attention" | "unknown" | "good";
                            found: string;
                            why: string;
                            fix: string | null;
                            settings: string[];
                        }[];
                        kept: {
                            what: string;
                            holds: string;
                            where: string;
                            how_long: string;
                            switch: string | null;
                        }[];
                        reached: {
                            purpose: string;
                            address: string;
                            sends: string;
                            set_by: string;
                        }[];
                    };
                };
            };
            /** @description No valid credential */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not an administrator and without a grant for it, or deactivated */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_admin_sessions: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
                q?: string;
                sort?: string;
                user?: string;
                team?: string;
                from?: string;
                to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Sessions */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            session_id: string;
                            user: string | null;
                            user_id: string | null;
                            team: string | null;
                            team_id: string | null;
                            key: string | null;
                            /** Format: date-time */
                            started_at: string;
                            /** Format: date-time */
                            last_at: string;
                            requests: number;
                            errors: number;
                            cost_usd: number;
                            tokens: {
                                input: number;
                                output: number;
                                cache_read: number;
                                cache_write: number;
                            };
                            agents: {
                                agent_id: string | null;
                                parent_agent_id: string | null;
                                depth: number;
                                /** Format: date-time */
                                started_at: string;
                                /** Format: date-time */
                                last_at: string;
                                models: string[];
                                requests: number;
                                errors: number;
                                cost_usd: number;
                                tokens: {
                                    input: number;
                                    output: number;
                                    cache_read: number;
                                    cache_write: number;
                                };
                            }[];
                        }[];
                        has_more: boolean;
                        next_cursor: string | null;
                    };
                };
            };
            /** @description A parameter or field is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No valid credential */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not an administrator and without a grant for it, or deactivated */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_admin_settings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One value for each key */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description No valid credential */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not an administrator and without a grant for it, or deactivated */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    put_admin_settings_key: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                key: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    value: unknown;
                };
            };
        };
        responses: {
            /** @description The setting */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        key: string;
                        value: unknown;
                        /** Format: date-time */
                        updated_at: string;
                        updated_by: string;
                    };
                };
            };
            /** @description The value does not fit the setting */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No valid credential */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not an administrator and without a grant for it, or deactivated */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no such setting */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_admin_status: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The status */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        instances: {
                            /** Format: uuid */
                            id: string;
                            is_self: boolean;
                            /** @enum {string} */
                            status: "alive" | "silent";
                            version: string;
                            /** Format: date-time */
                            started_at: string;
                            /** Format: date-time */
                            seen_at: string;
                            cache_version: number;
                            in_flight: number;
                            ledger: {
                                waiting: number;
                                lag_seconds: number;
                                journal_bytes: number;
                                journal_failing: boolean;
                                quarantined: number;
                                last_flush_at: string | null;
                            };
                        }[];
                        database: {
                            /** @enum {string} */
                            status: "ok" | "away" | "none";
                            error: string | null;
                            server_version: string | null;
                            latency_ms: number | null;
                            connections: {
                                open: number;
                                idle: number;
                                waiting: number;
                            } | null;
                            cache_version: number | null;
                        };
                        endpoints: {
                            /** Format: uuid */
                            id: string;
                            name: string;
                            region: string;
                            enabled: boolean;
                            is_default: boolean;
                            /** @enum {string} */
                            health_status: "healthy" | "unhealthy" | "unknown";
                            health_reason: string | null;
                            last_checked_at: string | null;
                            requests_1h: number;
                            errors_1h: number;
                        }[];
                        loops: {
                            name: string;
                            interval_seconds: number;
                            running: boolean;
                            last_run_at: string | null;
                            last_success_at: string | null;
                            last_error_at: string | null;
                            last_error: string | null;
                            lag_seconds: number;
                        }[];
                        /** @description Over all instances: sums, the largest lag, the oldest last flush. */
                        ledger: {
                            waiting: number;
                            lag_seconds: number;
                            journal_bytes: number;
                            journal_failing: boolean;
                            quarantined: number;
                            last_flush_at: string | null;
                        };
                        unpriced_models: {
                            model: string;
                            /** @description The model that a price is set for; null when an application profile does not tell which one is behind it. */
                            hosted_model_id: string | null;
                            /** @description Requests of the last 30 days to the model while it had no price. They were charged at an estimate. */
                            requests: number;
                            last_at: string | null;
                            /** @description Whether it has a price by now; the calls before stay as they were recorded. */
                            has_price: boolean;
                        }[];
                        /** @description When the answering instance last read the price list; null when it has not since its start. */
                        prices_refreshed_at: string | null;
                        /** @description Stored records that no chart counts, because the database refuses them in its sums; null while it is away. */
                        uncounted_records: number | null;
                        /** @description Days and blocks of days whose sums the database refuses to put together; charts read their parts. */
                        unclosed_periods: number | null;
                    };
                };
            };
            /** @description No valid credential */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not an administrator and without a grant for it, or deactivated */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_admin_teams: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
                q?: string;
                sort?: string;
                ids?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Teams */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /** Format: uuid */
                            id: string;
                            name: string;
                            member_count: number;
                            /** Format: date-time */
                            created_at: string;
                        }[];
                        has_more: boolean;
                        next_cursor: string | null;
                    };
                };
            };
            /** @description A parameter or field is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No valid credential */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not an administrator and without a grant for it, or deactivated */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    post_admin_teams: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                };
            };
        };
        responses: {
            /** @description The team */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        id: string;
                        name: string;
                        member_count: number;
                        /** Format: date-time */
                        created_at: string;
                    };
                };
            };
            /** @description A parameter or field is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No valid credential */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not an administrator and without a grant for it, or deactivated */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Another team has this name, in whatever case */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_admin_teams_id_managed_settings: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The document; empty when there is none */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        settings: {
                            [key: string]: unknown;
                        };
                        updated_at: string | null;
                        updated_by: string | null;
                    };
                };
            };
            /** @description A parameter or field is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No valid credential */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not an administrator and without a grant for it, or deactivated */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is nothing with this id */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    put_admin_teams_id_managed_settings: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    settings: {
                        [key: string]: unknown;
                    };
                };
            };
        };
        responses: {
            /** @description The document */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        settings: {
                            [key: string]: unknown;
                        };
                        updated_at: string | null;
                        updated_by: string | null;
                    };
                };
            };
            /** @description A parameter or field is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No valid credential */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not an administrator and without a grant for it, or deactivated */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is nothing with this id */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    delete_admin_teams_id_managed_settings: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted, also when there was none */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A parameter or field is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No valid credential */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not an administrator and without a grant for it, or deactivated */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is nothing with this id */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_admin_teams_team_id: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                team_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The team */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        id: string;
                        name: string;
                        member_count: number;
                        /** Format: date-time */
                        created_at: string;
                    };
                };
            };
            /** @description A parameter or field is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No valid credential */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not an administrator and without a grant for it, or deactivated */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is nothing with this id */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    delete_admin_teams_team_id: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                team_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A parameter or field is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No valid credential */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not an administrator and without a grant for it, or deactivated */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is nothing with this id */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    patch_admin_teams_team_id: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                team_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name?: string;
                };
            };
        };
        responses: {
            /** @description The team */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        id: string;
                        name: string;
                        member_count: number;
                        /** Format: date-time */
                        created_at: string;
                    };
                };
            };
            /** @description A parameter or field is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No valid credential */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not an administrator and without a grant for it, or deactivated */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is nothing with this id */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Another team has this name, in whatever case */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_admin_teams_team_id_budget: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                team_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The budget and where it stands */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {string} */
                        scope: "user" | "team";
                        /** Format: uuid */
                        subject_id: string;
                        limit_usd: number;
                        top_up_usd: number;
                        /** @enum {string} */
                        period: "daily" | "weekly" | "monthly";
                        policy: string | {
                            at_percent: number;
                            /** @enum {string} */
                            action: "notify" | "shape" | "block";
                            rpm?: number;
                        }[];
                        rules: {
                            at_percent: number;
                            /** @enum {string} */
                            action: "notify" | "shape" | "block";
                            rpm?: number;
                        }[];
                        member_limit_usd: number | null;
                        /** Format: date-time */
                        updated_at: string;
                        spend_usd: number;
                        percent: number;
                        /** @enum {string} */
                        status: "ok" | "warning" | "shaped" | "blocked";
                        /** Format: date-time */
                        resets_at: string;
                    };
                };
            };
            /** @description A parameter or field is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No valid credential */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not an administrator and without a grant for it, or deactivated */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no budget here */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    put_admin_teams_team_id_budget: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                team_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    limit_usd: number;
                    /** @enum {string} */
                    period: "daily" | "weekly" | "monthly";
                    /** @default standard */
                    policy?: ("standard" | "soft" | "shaped") | {
                        at_percent: number;
                        /** @enum {string} */
                        action: "notify" | "shape" | "block";
                        rpm?: number;
                    }[];
                    member_limit_usd?: number | null;
                };
            };
        };
        responses: {
            /** @description The budget */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {string} */
                        scope: "user" | "team";
                        /** Format: uuid */
                        subject_id: string;
                        limit_usd: number;
                        top_up_usd: number;
                        /** @enum {string} */
                        period: "daily" | "weekly" | "monthly";
                        policy: string | {
                            at_percent: number;
                            /** @enum {string} */
                            action: "notify" | "shape" | "block";
                            rpm?: number;
                        }[];
                        rules: {
                            at_percent: number;
                            /** @enum {string} */
                            action: "notify" | "shape" | "block";
                            rpm?: number;
                        }[];
                        member_limit_usd: number | null;
                        /** Format: date-time */
                        updated_at: string;
                        spend_usd: number;
                        percent: number;
                        /** @enum {string} */
                        status: "ok" | "warning" | "shaped" | "blocked";
                        /** Format: date-time */
                        resets_at: string;
                    };
                };
            };
            /** @description A parameter or field is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No valid credential */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not an administrator and without a grant for it, or deactivated */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no team with this id */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    delete_admin_teams_team_id_budget: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                team_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Removed */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A parameter or field is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No valid credential */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not an administrator and without a grant for it, or deactivated */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no budget here */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_admin_teams_team_id_budget_top_ups: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
                sort?: string;
            };
            header?: never;
            path: {
                team_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Top-ups */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /** Format: uuid */
                            id: string;
                            /** @enum {string} */
                            scope: "user" | "team";
                            /** Format: uuid */
                            subject_id: string;
                            amount_usd: number;
                            reason: string | null;
                            /** Format: date-time */
                            ends_at: string;
                            active: boolean;
                            created_by: string;
                            /** Format: date-time */
                            created_at: string;
                        }[];
                        has_more: boolean;
                        next_cursor: string | null;
                    };
                };
            };
            /** @description A parameter or field is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No valid credential */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not an administrator and without a grant for it, or deactivated */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is nothing with this id */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    post_admin_teams_team_id_budget_top_ups: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                team_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    amount_usd: number;
                    reason?: string | null;
                };
            };
        };
        responses: {
            /** @description The top-up */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        id: string;
                        /** @enum {string} */
                        scope: "user" | "team";
                        /** Format: uuid */
                        subject_id: string;
                        amount_usd: number;
                        reason: string | null;
                        /** Format: date-time */
                        ends_at: string;
                        active: boolean;
                        created_by: string;
                        /** Format: date-time */
                        created_at: string;
                    };
                };
            };
            /** @description A parameter or field is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No valid credential */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not an administrator and without a grant for it, or deactivated */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no team with this id */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No budget limits this team */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_admin_teams_team_id_endpoints: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                team_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The assignment */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {string} */
                        routing_strategy: "sticky_user" | "primary_fallback" | "round_robin";
                        endpoints: {
                            /** Format: uuid */
                            endpoint_id: string;
                            name: string;
                            priority: number;
                        }[];
                    };
                };
            };
            /** @description A parameter or field is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No valid credential */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not an administrator and without a grant for it, or deactivated */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is nothing with this id */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    put_admin_teams_team_id_endpoints: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                team_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @default sticky_user
                     * @enum {string}
                     */
                    routing_strategy?: "sticky_user" | "primary_fallback" | "round_robin";
                    endpoints: {
                        /** Format: uuid */
                        endpoint_id: string;
                        priority: number;
                    }[];
                };
            };
        };
        responses: {
            /** @description The assignment */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {string} */
                        routing_strategy: "sticky_user" | "primary_fallback" | "round_robin";
                        endpoints: {
                            /** Format: uuid */
                            endpoint_id: string;
                            name: string;
                            priority: number;
                        }[];
                    };
                };
            };
            /** @description A parameter or field is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No valid credential */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not an administrator and without a grant for it, or deactivated */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is nothing with this id */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_admin_teams_team_id_members: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
                q?: string;
                sort?: string;
            };
            header?: never;
            path: {
                team_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Users */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /** Format: uuid */
                            id: string;
                            subject: string;
                            email: string | null;
                            /** @enum {string} */
                            role: "member" | "admin";
                            grants: ("team:lead" | "billing:read" | "audit:read" | "ops:operate")[];
                            team_id: string | null;
                            active: boolean;
                            identity: {
                                issuer: string;
                                subject: string;
                            } | null;
                            bootstrap: boolean;
                            last_seen_at: string | null;
                            /** Format: date-time */
                            created_at: string;
                        }[];
                        has_more: boolean;
                        next_cursor: string | null;
                    };
                };
            };
            /** @description A parameter or field is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No valid credential */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not an administrator and without a grant for it, or deactivated */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is nothing with this id */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    post_admin_usage_recount: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description What was tried, and what is still left out */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        tried_records: number;
                        uncounted_records: number;
                        unclosed_periods: number;
                    };
                };
            };
            /** @description A parameter or field is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No valid credential */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not an administrator and without a grant for it, or deactivated */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_admin_users: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
                q?: string;
                sort?: string;
                ids?: string;
                team_id?: string;
                role?: "member" | "admin";
                grant?: "team:lead" | "billing:read" | "audit:read" | "ops:operate";
                active?: "true" | "false";
                adoption?: "invited" | "connected" | "active";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Users */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /** Format: uuid */
                            id: string;
                            subject: string;
                            email: string | null;
                            /** @enum {string} */
                            role: "member" | "admin";
                            grants: ("team:lead" | "billing:read" | "audit:read" | "ops:operate")[];
                            team_id: string | null;
                            active: boolean;
                            identity: {
                                issuer: string;
                                subject: string;
                            } | null;
                            bootstrap: boolean;
                            last_seen_at: string | null;
                            /** Format: date-time */
                            created_at: string;
                        }[];
                        has_more: boolean;
                        next_cursor: string | null;
                    };
                };
            };
            /** @description A parameter or field is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No valid credential */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not an administrator and without a grant for it, or deactivated */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    post_admin_users: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    subject: string;
                    /** @default null */
                    email?: string | null;
                    /**
                     * @default member
                     * @enum {string}
                     */
                    role?: "member" | "admin";
                    grants?: ("team:lead" | "billing:read" | "audit:read" | "ops:operate")[];
                    /** @default null */
                    team_id?: string | null;
                };
            };
        };
        responses: {
            /** @description The user */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        id: string;
                        subject: string;
                        email: string | null;
                        /** @enum {string} */
                        role: "member" | "admin";
                        grants: ("team:lead" | "billing:read" | "audit:read" | "ops:operate")[];
                        team_id: string | null;
                        active: boolean;
                        identity: {
                            issuer: string;
                            subject: string;
                        } | null;
                        bootstrap: boolean;
                        last_seen_at: string | null;
                        /** Format: date-time */
                        created_at: string;
                    };
                };
            };
            /** @description A parameter or field is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No valid credential */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not an administrator and without a grant for it, or deactivated */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Another user has this subject */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_admin_users_user_id: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                user_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The user */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        id: string;
                        subject: string;
                        email: string | null;
                        /** @enum {string} */
                        role: "member" | "admin";
                        grants: ("team:lead" | "billing:read" | "audit:read" | "ops:operate")[];
                        team_id: string | null;
                        active: boolean;
                        identity: {
                            issuer: string;
                            subject: string;
                        } | null;
                        bootstrap: boolean;
                        last_seen_at: string | null;
                        /** Format: date-time */
                        created_at: string;
                    };
                };
            };
            /** @description A parameter or field is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No valid credential */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not an administrator and without a grant for it, or deactivated */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is nothing with this id */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    delete_admin_users_user_id: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                user_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A parameter or field is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No valid credential */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not an administrator and without a grant for it, or deactivated */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is nothing with this id */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is the last active administrator, or the bootstrap administrator */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    patch_admin_users_user_id: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                user_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    email?: string | null;
                    /** @enum {string} */
                    role?: "member" | "admin";
                    grants?: ("team:lead" | "billing:read" | "audit:read" | "ops:operate")[];
                    active?: boolean;
                };
            };
        };
        responses: {
            /** @description The user */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        id: string;
                        subject: string;
                        email: string | null;
                        /** @enum {string} */
                        role: "member" | "admin";
                        grants: ("team:lead" | "billing:read" | "audit:read" | "ops:operate")[];
                        team_id: string | null;
                        active: boolean;
                        identity: {
                            issuer: string;
                            subject: string;
                        } | null;
                        bootstrap: boolean;
                        last_seen_at: string | null;
                        /** Format: date-time */
                        created_at: string;
                    };
                };
            };
            /** @description A parameter or field is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No valid credential */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not an administrator and without a grant for it, or deactivated */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is nothing with this id */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is the last active administrator, or the bootstrap administrator */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_admin_users_user_id_budget: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                user_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The budget and where it stands */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {string} */
                        scope: "user" | "team";
                        /** Format: uuid */
                        subject_id: string;
                        limit_usd: number;
                        top_up_usd: number;
                        /** @enum {string} */
                        period: "daily" | "weekly" | "monthly";
                        policy: string | {
                            at_percent: number;
                            /** @enum {string} */
                            action: "notify" | "shape" | "block";
                            rpm?: number;
                        }[];
                        rules: {
                            at_percent: number;
                            /** @enum {string} */
                            action: "notify" | "shape" | "block";
                            rpm?: number;
                        }[];
                        member_limit_usd: number | null;
                        /** Format: date-time */
                        updated_at: string;
                        spend_usd: number;
                        percent: number;
                        /** @enum {string} */
                        status: "ok" | "warning" | "shaped" | "blocked";
                        /** Format: date-time */
                        resets_at: string;
                    };
                };
            };
            /** @description A parameter or field is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No valid credential */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not an administrator and without a grant for it, or deactivated */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no budget here */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    put_admin_users_user_id_budget: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                user_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    limit_usd: number;
                    /** @enum {string} */
                    period: "daily" | "weekly" | "monthly";
                    /** @default standard */
                    policy?: ("standard" | "soft" | "shaped") | {
                        at_percent: number;
                        /** @enum {string} */
                        action: "notify" | "shape" | "block";
                        rpm?: number;
                    }[];
                };
            };
        };
        responses: {
            /** @description The budget */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {string} */
                        scope: "user" | "team";
                        /** Format: uuid */
                        subject_id: string;
                        limit_usd: number;
                        top_up_usd: number;
                        /** @enum {string} */
                        period: "daily" | "weekly" | "monthly";
                        policy: string | {
                            at_percent: number;
                            /** @enum {string} */
                            action: "notify" | "shape" | "block";
                            rpm?: number;
                        }[];
                        rules: {
                            at_percent: number;
                            /** @enum {string} */
                            action: "notify" | "shape" | "block";
                            rpm?: number;
                        }[];
                        member_limit_usd: number | null;
                        /** Format: date-time */
                        updated_at: string;
                        spend_usd: number;
                        percent: number;
                        /** @enum {string} */
                        status: "ok" | "warning" | "shaped" | "blocked";
                        /** Format: date-time */
                        resets_at: string;
                    };
                };
            };
            /** @description A parameter or field is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No valid credential */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not an administrator and without a grant for it, or deactivated */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no user with this id */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    delete_admin_users_user_id_budget: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                user_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Removed */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A parameter or field is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No valid credential */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not an administrator and without a grant for it, or deactivated */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no budget here */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_admin_users_user_id_budget_top_ups: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
                sort?: string;
            };
            header?: never;
            path: {
                user_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Top-ups */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /** Format: uuid */
                            id: string;
                            /** @enum {string} */
                            scope: "user" | "team";
                            /** Format: uuid */
                            subject_id: string;
                            amount_usd: number;
                            reason: string | null;
                            /** Format: date-time */
                            ends_at: string;
                            active: boolean;
                            created_by: string;
                            /** Format: date-time */
                            created_at: string;
                        }[];
                        has_more: boolean;
                        next_cursor: string | null;
                    };
                };
            };
            /** @description A parameter or field is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No valid credential */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not an administrator and without a grant for it, or deactivated */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is nothing with this id */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    post_admin_users_user_id_budget_top_ups: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                user_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    amount_usd: number;
                    reason?: string | null;
                };
            };
        };
        responses: {
            /** @description The top-up */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        id: string;
                        /** @enum {string} */
                        scope: "user" | "team";
                        /** Format: uuid */
                        subject_id: string;
                        amount_usd: number;
                        reason: string | null;
                        /** Format: date-time */
                        ends_at: string;
                        active: boolean;
                        created_by: string;
                        /** Format: date-time */
                        created_at: string;
                    };
                };
            };
            /** @description A parameter or field is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No valid credential */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not an administrator and without a grant for it, or deactivated */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no user with this id */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No budget limits this user */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    delete_admin_users_user_id_identity: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                user_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The user */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        id: string;
                        subject: string;
                        email: string | null;
                        /** @enum {string} */
                        role: "member" | "admin";
                        grants: ("team:lead" | "billing:read" | "audit:read" | "ops:operate")[];
                        team_id: string | null;
                        active: boolean;
                        identity: {
                            issuer: string;
                            subject: string;
                        } | null;
                        bootstrap: boolean;
                        last_seen_at: string | null;
                        /** Format: date-time */
                        created_at: string;
                    };
                };
            };
            /** @description A parameter or field is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No valid credential */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not an administrator and without a grant for it, or deactivated */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is nothing with this id */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_admin_users_user_id_sessions: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
                q?: string;
                sort?: string;
            };
            header?: never;
            path: {
                user_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Sessions without their tokens */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /** Format: uuid */
                            id: string;
                            /** @enum {string} */
                            signed_in_with: "password" | "sso" | "cli" | "device";
                            client: string | null;
                            source_address: string | null;
                            /** Format: date-time */
                            created_at: string;
                            /** Format: date-time */
                            last_used_at: string;
                            /** Format: date-time */
                            expires_at: string;
                            current: boolean;
                        }[];
                        has_more: boolean;
                        next_cursor: string | null;
                    };
                };
            };
            /** @description A parameter or field is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No valid credential */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not an administrator and without a grant for it, or deactivated */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is nothing with this id */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    delete_admin_users_user_id_sessions: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                user_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Signed out */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A parameter or field is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No valid credential */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not an administrator and without a grant for it, or deactivated */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is nothing with this id */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    delete_admin_users_user_id_sessions_session_id: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                user_id: string;
                session_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Signed out, also when it was before */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A parameter or field is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No valid credential */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not an administrator and without a grant for it, or deactivated */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is nothing with this id */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    put_admin_users_user_id_team: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                user_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    team_id: string | null;
                };
            };
        };
        responses: {
            /** @description The user */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        id: string;
                        subject: string;
                        email: string | null;
                        /** @enum {string} */
                        role: "member" | "admin";
                        grants: ("team:lead" | "billing:read" | "audit:read" | "ops:operate")[];
                        team_id: string | null;
                        active: boolean;
                        identity: {
                            issuer: string;
                            subject: string;
                        } | null;
                        bootstrap: boolean;
                        last_seen_at: string | null;
                        /** Format: date-time */
                        created_at: string;
                    };
                };
            };
            /** @description A parameter or field is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No valid credential */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not an administrator and without a grant for it, or deactivated */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is nothing with this id */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_admin_warehouse: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The state */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        is_on: boolean;
                        url: string | null;
                        is_running: boolean;
                        /** @description When nothing was left to write the last time. */
                        caught_up_at: string | null;
                        /** @description Not before this time; null while the warehouse is off. */
                        next_run_at: string | null;
                        unfinished_files: number;
                        /** @description Wait for a later file of their day. */
                        late_records: number;
                        files: number;
                        records: number;
                        bytes: number;
                        last_file: {
                            day: string;
                            part: number;
                            name: string;
                            records: number;
                            bytes: number;
                            cost_usd: number;
                            /** Format: date-time */
                            written_at: string;
                        } | null;
                        /** @description In a row; 0 after a run that succeeded. */
                        failures: number;
                        last_failure: {
                            /** Format: date-time */
                            at: string;
                            reason: string;
                        } | null;
                    };
                };
            };
            /** @description No valid credential */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not an administrator and without a grant for it, or deactivated */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    post_admin_warehouse_export: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description An instance will begin */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        is_on: boolean;
                    };
                };
            };
            /** @description A parameter or field is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No valid credential */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not an administrator and without a grant for it, or deactivated */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_admin_websearch_mode: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The mode */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {string} */
                        mode: "enabled" | "disabled" | "global";
                        provider?: {
                            /** @enum {string} */
                            provider_type: "duckduckgo" | "tavily" | "serper" | "custom" | "searxng";
                            api_url: string | null;
                            max_results: number;
                            has_api_key: boolean;
                            /** Format: date-time */
                            updated_at: string;
                        };
                    };
                };
            };
            /** @description No valid credential */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not an administrator and without a grant for it, or deactivated */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    put_admin_websearch_mode: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    mode: "enabled" | "disabled" | "global";
                    provider?: {
                        /** @enum {string} */
                        provider_type: "duckduckgo" | "tavily" | "serper" | "custom" | "searxng";
                        api_key?: (string & (unknown & unknown)) | null;
                        api_url?: string | null;
                        /** @description Clamped to 1 to 20; default 10. */
                        max_results?: number;
                    };
                };
            };
        };
        responses: {
            /** @description The mode */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {string} */
                        mode: "enabled" | "disabled" | "global";
                        provider?: {
                            /** @enum {string} */
                            provider_type: "duckduckgo" | "tavily" | "serper" | "custom" | "searxng";
                            api_url: string | null;
                            max_results: number;
                            has_api_key: boolean;
                            /** Format: date-time */
                            updated_at: string;
                        };
                    };
                };
            };
            /** @description A parameter or field is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No valid credential */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not an administrator and without a grant for it, or deactivated */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    post_admin_websearch_mode_test: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    provider_type?: "duckduckgo" | "tavily" | "serper" | "custom" | "searxng";
                    api_key?: (string & (unknown & unknown)) | null;
                    api_url?: string | null;
                    /** @description Clamped to 1 to 20; default 10. */
                    max_results?: number;
                    query?: string;
                };
            };
        };
        responses: {
            /** @description What came of it */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        success: boolean;
                        /** @enum {string} */
                        provider_type: "duckduckgo" | "tavily" | "serper" | "custom" | "searxng";
                        result_count: number;
                        error: string | null;
                        duration_ms: number;
                    };
                };
            };
            /** @description A parameter or field is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No valid credential */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not an administrator and without a grant for it, or deactivated */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description None is stored and none was sent, or the stored key cannot be opened */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    head_api_hello: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Alive */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_auth_cli_callback: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    post_auth_cli_complete: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    user_code: string;
                    /** @default true */
                    approve?: boolean;
                };
            };
        };
        responses: {
            /** @description Answered */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {string} */
                        status: "approved" | "denied";
                        user_code: string;
                    };
                };
            };
            /** @description A parameter or field is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No valid credential */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A virtual key was sent, or the account is deactivated */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is nothing with this id */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Too many codes were tried */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_auth_cli_login: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The codes */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        session_code: string;
                        user_code: string;
                        verification_url: string;
                        interval: number;
                        expires_in: number;
                    };
                };
            };
            /** @description The Host header cannot be used */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Too many sign-ins from this address */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_auth_cli_poll: {
        parameters: {
            query: {
                session_code: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Signed in */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "complete";
                        token: string;
                        /** Format: date-time */
                        expires_at: string;
                        expires_in: number;
                    };
                };
            };
            /** @description Not answered yet */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "pending";
                    };
                };
            };
            /** @description A parameter or field is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The person has been deactivated since */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Unknown, or the token was already given */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Too late, or refused */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {string} */
                        status: "expired" | "denied";
                    };
                };
            };
            /** @description Too many polls from this address */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_auth_cli_request: {
        parameters: {
            query: {
                user_code: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Who asks */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {string} */
                        kind: "cli" | "device";
                        user_code: string;
                        asked_from: string;
                        client: string | null;
                        /** Format: date-time */
                        asked_at: string;
                        /** Format: date-time */
                        expires_at: string;
                    };
                };
            };
            /** @description A parameter or field is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No valid credential */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A virtual key was sent, or the account is deactivated */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is nothing with this id */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Too many codes were tried */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    post_auth_login: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    username: string;
                    password: string;
                };
            };
        };
        responses: {
            /** @description A session token */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        token: string;
                        /** Format: date-time */
                        expires_at: string;
                        /** @enum {string} */
                        role: "member" | "admin";
                    };
                };
            };
            /** @description The body is not valid, or the Host header cannot be used */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Wrong user name or password */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Password sign-in is off */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Too many failures */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    post_auth_logout: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Signed out here, but not yet at the provider */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uri */
                        provider_logout_url: string;
                    };
                };
            };
            /** @description Signed out */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_auth_me: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The caller: user, role, team and how signed in */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {string} */
                        signed_in_with: "key" | "session" | "jwt";
                        user: {
                            /** Format: uuid */
                            id: string;
                            subject: string;
                            email: string | null;
                            /** @enum {string} */
                            role: "member" | "admin";
                        } | null;
                        /** @enum {string} */
                        role: "member" | "admin";
                        grants: ("team:lead" | "billing:read" | "audit:read" | "ops:operate")[];
                        team: {
                            /** Format: uuid */
                            id: string;
                            name: string;
                        } | null;
                        key?: {
                            /** Format: uuid */
                            id: string;
                            name: string;
                            prefix: string;
                        };
                        csrf_token?: string;
                        session_expires_in?: number;
                    };
                };
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_auth_providers: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Identity providers and whether password sign-in is on */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        providers: {
                            /** Format: uuid */
                            id: string;
                            name: string;
                        }[];
                        admin_login_enabled: boolean;
                    };
                };
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_auth_setup: {
        parameters: {
            query?: {
                platform?: "windows" | "macos" | "linux" | "unix";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The script, for POSIX sh or for PowerShell */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The Host header cannot be used */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_auth_setup_token_script: {
        parameters: {
            query?: {
                platform?: "windows" | "macos" | "linux" | "unix";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The script, for POSIX sh or for PowerShell */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The Host header cannot be used */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_auth_sso_idp_id_start: {
        parameters: {
            query?: {
                cli?: string;
                device?: string;
                hop?: string;
            };
            header?: never;
            path: {
                idp_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description To the provider */
            302: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No such provider */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A page: too many sign-ins from this address */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A page */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A page */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_device: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    post_device: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    user_code: string;
                    /** @default true */
                    approve?: boolean;
                };
            };
        };
        responses: {
            /** @description Answered */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {string} */
                        status: "approved" | "denied";
                        user_code: string;
                    };
                };
            };
            /** @description A parameter or field is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No valid credential */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A virtual key was sent, or the account is deactivated */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is nothing with this id */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Too many codes were tried */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_health: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Alive */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "ok";
                        version: string;
                    };
                };
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    head_health: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Alive */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_inference_profiles: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The profiles that you can use */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        inferenceProfileSummaries: {
                            inferenceProfileName: string;
                            inferenceProfileArn: string;
                            inferenceProfileId: string;
                            models: {
                                modelArn: string;
                            }[];
                            /** @constant */
                            status: "ACTIVE";
                            /** @enum {string} */
                            type: "SYSTEM_DEFINED" | "APPLICATION";
                        }[];
                    };
                };
            };
            /** @description An error as Amazon Bedrock writes it. The header `x-amzn-errortype` names the exception. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BedrockError"];
                };
            };
        };
    };
    get_inference_profiles_id: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The profile */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        inferenceProfileName: string;
                        inferenceProfileArn: string;
                        inferenceProfileId: string;
                        models: {
                            modelArn: string;
                        }[];
                        /** @constant */
                        status: "ACTIVE";
                        /** @enum {string} */
                        type: "SYSTEM_DEFINED" | "APPLICATION";
                    };
                };
            };
            /** @description Not available to you */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BedrockError"];
                };
            };
            /** @description An error as Amazon Bedrock writes it. The header `x-amzn-errortype` names the exception. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BedrockError"];
                };
            };
        };
    };
    get_managed_settings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The settings */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        uuid: string;
                        checksum: string;
                        settings: {
                            [key: string]: unknown;
                        };
                    };
                };
            };
            /** @description As in `if-none-match` */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No valid credential */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The account is deactivated */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The database does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_me: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The caller */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {string} */
                        signed_in_with: "key" | "session" | "jwt";
                        user: {
                            /** Format: uuid */
                            id: string;
                            subject: string;
                            email: string | null;
                            /** @enum {string} */
                            role: "member" | "admin";
                        } | null;
                        /** @enum {string} */
                        role: "member" | "admin";
                        grants: ("team:lead" | "billing:read" | "audit:read" | "ops:operate")[];
                        team: {
                            /** Format: uuid */
                            id: string;
                            name: string;
                        } | null;
                        key: {
                            /** Format: uuid */
                            id: string;
                            name: string;
                            prefix: string;
                            rate_limit_rpm: number | null;
                            allowed_models: string[] | null;
                            expires_at: string | null;
                        } | null;
                    };
                };
            };
            /** @description No valid credential */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The account is deactivated */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_me_budget: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The budgets */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        budgets: {
                            /** @enum {string} */
                            scope: "user" | "team";
                            name: string;
                            /** @enum {string} */
                            source: "own" | "team-member" | "default" | "team";
                            limit_usd: number;
                            top_up_usd: number;
                            /** @enum {string} */
                            period: "daily" | "weekly" | "monthly";
                            rules: {
                                at_percent: number;
                                /** @enum {string} */
                                action: "notify" | "shape" | "block";
                                rpm?: number;
                            }[];
                            spend_usd: number;
                            remaining_usd: number;
                            percent: number;
                            /** @enum {string} */
                            status: "ok" | "warning" | "shaped" | "blocked";
                            /** Format: date-time */
                            started_at: string;
                            /** Format: date-time */
                            resets_at: string;
                        }[];
                    };
                };
            };
            /** @description No valid credential */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The account is deactivated */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_me_budget_requests: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
                q?: string;
                sort?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Requests */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /** Format: uuid */
                            id: string;
                            /** @enum {string} */
                            scope: "user" | "team";
                            amount_usd: number;
                            reason: string | null;
                            /** @enum {string} */
                            status: "open" | "approved" | "declined" | "withdrawn";
                            /** Format: date-time */
                            created_at: string;
                            decided_at: string | null;
                            decided_by: string | null;
                            note: string | null;
                            granted_usd: number | null;
                            granted_as: ("top_up" | "raise") | null;
                        }[];
                        has_more: boolean;
                        next_cursor: string | null;
                    };
                };
            };
            /** @description A parameter or field is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No valid credential */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The account is deactivated */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    post_me_budget_requests: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    amount_usd: number;
                    reason?: string | null;
                };
            };
        };
        responses: {
            /** @description The request */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        id: string;
                        /** @enum {string} */
                        scope: "user" | "team";
                        amount_usd: number;
                        reason: string | null;
                        /** @enum {string} */
                        status: "open" | "approved" | "declined" | "withdrawn";
                        /** Format: date-time */
                        created_at: string;
                        decided_at: string | null;
                        decided_by: string | null;
                        note: string | null;
                        granted_usd: number | null;
                        granted_as: ("top_up" | "raise") | null;
                    };
                };
            };
            /** @description A parameter or field is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No valid credential */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A virtual key was sent, or the account is deactivated */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No budget limits the caller, or a request is open already */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    delete_me_budget_requests_budget_request_id: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                budget_request_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Withdrawn */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A parameter or field is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No valid credential */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A virtual key was sent, or the account is deactivated */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is nothing with this id */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It was decided or withdrawn before */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_me_client: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was seen */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        models_listed_at: string | null;
                    };
                };
            };
            /** @description No valid credential */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The account is deactivated */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_me_keys: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
                q?: string;
                sort?: string;
                status?: "active" | "revoked" | "expired";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Keys without their secrets */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /** Format: uuid */
                            id: string;
                            name: string;
                            prefix: string;
                            user_id: string | null;
                            team_id: string | null;
                            rate_limit_rpm: number | null;
                            allowed_models: string[] | null;
                            expires_at: string | null;
                            revoked_at: string | null;
                            /** @enum {string} */
                            status: "active" | "revoked" | "expired";
                            last_used_at: string | null;
                            /** Format: date-time */
                            created_at: string;
                            spend_usd: number;
                        }[];
                        has_more: boolean;
                        next_cursor: string | null;
                    };
                };
            };
            /** @description A parameter or field is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No valid credential */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The account is deactivated */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    post_me_keys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    expires_at?: string | null;
                };
            };
        };
        responses: {
            /** @description The key */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        id: string;
                        name: string;
                        prefix: string;
                        user_id: string | null;
                        team_id: string | null;
                        rate_limit_rpm: number | null;
                        allowed_models: string[] | null;
                        expires_at: string | null;
                        revoked_at: string | null;
                        /** @enum {string} */
                        status: "active" | "revoked" | "expired";
                        last_used_at: string | null;
                        /** Format: date-time */
                        created_at: string;
                        spend_usd: number;
                        key: string;
                    };
                };
            };
            /** @description A parameter or field is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No valid credential */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A virtual key was sent, or the account is deactivated */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The caller has too many active keys */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    post_me_keys_key_id_revoke: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                key_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description The revoked key */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        id: string;
                        name: string;
                        prefix: string;
                        user_id: string | null;
                        team_id: string | null;
                        rate_limit_rpm: number | null;
                        allowed_models: string[] | null;
                        expires_at: string | null;
                        revoked_at: string | null;
                        /** @enum {string} */
                        status: "active" | "revoked" | "expired";
                        last_used_at: string | null;
                        /** Format: date-time */
                        created_at: string;
                        spend_usd: number;
                    };
                };
            };
            /** @description A parameter or field is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No valid credential */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A virtual key was sent, or the account is deactivated */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is nothing with this id */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    post_me_keys_key_id_rotate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                key_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @default 0 */
                    grace_seconds?: number;
                };
            };
        };
        responses: {
            /** @description The new key, shown this once */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        id: string;
                        name: string;
                        prefix: string;
                        user_id: string | null;
                        team_id: string | null;
                        rate_limit_rpm: number | null;
                        allowed_models: string[] | null;
                        expires_at: string | null;
                        revoked_at: string | null;
                        /** @enum {string} */
                        status: "active" | "revoked" | "expired";
                        last_used_at: string | null;
                        /** Format: date-time */
                        created_at: string;
                        spend_usd: number;
                        key: string;
                        previous_key: {
                            /** Format: uuid */
                            id: string;
                            /** Format: date-time */
                            revoked_at: string;
                        };
                    };
                };
            };
            /** @description A parameter or field is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No valid credential */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A virtual key was sent, or the account is deactivated */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is nothing with this id */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The key is revoked, expired or rotated already, or the caller has too many active keys */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_me_requests: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
                q?: string;
                sort?: string;
                status?: string;
                model?: string;
                endpoint?: string;
                session_id?: string;
                tool?: string;
                flag?: "estimated" | "aborted" | "unpriced" | "probe" | "clamped" | "price_estimated";
                reason?: "budget" | "rate_limit" | "token_limit" | "concurrency" | "model_access" | "credential" | "invalid_request" | "throttled_by_aws" | "aws_access" | "aws_unavailable" | "guardrail" | "timeout" | "network" | "client_left" | "gateway";
                min_cost_usd?: string;
                max_cost_usd?: string;
                min_duration_ms?: string;
                max_duration_ms?: string;
                from?: string;
                to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Calls */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            request_id: string;
                            /** Format: date-time */
                            at: string;
                            status: number;
                            error_type: string | null;
                            /** @description Why the request was rejected or failed. Null for requests that succeeded, and for records from before reasons were kept. */
                            reason: {
                                /** @enum {string} */
                                kind: "budget" | "rate_limit" | "token_limit" | "concurrency" | "model_access" | "credential" | "invalid_request" | "throttled_by_aws" | "aws_access" | "aws_unavailable" | "guardrail" | "timeout" | "network" | "client_left" | "gateway";
                                /** @description A code of the error catalogue, or the name of an AWS exception. */
                                code: string;
                                /** @description The sentence that the client received. Null when `store_failure_messages` is false. */
                                message: string | null;
                                /** @description The limit that was reached, as it was then. Null for other causes. */
                                limit: {
                                    /** @enum {string} */
                                    scope: "key" | "user" | "team" | "default";
                                    id: string;
                                    name: string;
                                    limit: number;
                                    used: number;
                                    /** @enum {string} */
                                    unit: "usd" | "requests_per_minute";
                                    /** Format: date-time */
                                    resets_at: string;
                                } | null;
                            } | null;
                            /** @description What to do about it. */
                            hint: {
                                text: string;
                                /** @description An address on this gateway. */
                                link: string;
                            } | null;
                            user: string | null;
                            user_id: string | null;
                            team: string | null;
                            team_id: string | null;
                            key: string | null;
                            key_id: string | null;
                            model: string;
                            hosted_model: string | null;
                            endpoint: string | null;
                            endpoint_id: string | null;
                            streaming: boolean;
                            stop_reason: string | null;
                            tokens: {
                                input: number;
                                output: number;
                                cache_read: number;
                                cache_write_5m: number;
                                cache_write_1h: number;
                            };
                            web_searches: number;
                            cost_usd: number;
                            duration_ms: number;
                            first_token_ms: number | null;
                            session_id: string | null;
                            agent_id: string | null;
                            parent_agent_id: string | null;
                            tools: string[];
                            flags: string[];
                        }[];
                        has_more: boolean;
                        next_cursor: string | null;
                    };
                };
            };
            /** @description A parameter or field is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No valid credential */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The account is deactivated */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_me_requests_request_id: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                request_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The call */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        request_id: string;
                        /** Format: date-time */
                        at: string;
                        status: number;
                        error_type: string | null;
                        /** @description Why the request was rejected or failed. Null for requests that succeeded, and for records from before reasons were kept. */
                        reason: {
                            /** @enum {string} */
                            kind: "budget" | "rate_limit" | "token_limit" | "concurrency" | "model_access" | "credential" | "invalid_request" | "throttled_by_aws" | "aws_access" | "aws_unavailable" | "guardrail" | "timeout" | "network" | "client_left" | "gateway";
                            /** @description A code of the error catalogue, or the name of an AWS exception. */
                            code: string;
                            /** @description The sentence that the client received. Null when `store_failure_messages` is false. */
                            message: string | null;
                            /** @description The limit that was reached, as it was then. Null for other causes. */
                            limit: {
                                /** @enum {string} */
                                scope: "key" | "user" | "team" | "default";
                                id: string;
                                name: string;
                                limit: number;
                                used: number;
                                /** @enum {string} */
                                unit: "usd" | "requests_per_minute";
                                /** Format: date-time */
                                resets_at: string;
                            } | null;
                        } | null;
                        /** @description What to do about it. */
                        hint: {
                            text: string;
                            /** @description An address on this gateway. */
                            link: string;
                        } | null;
                        user: string | null;
                        user_id: string | null;
                        team: string | null;
                        team_id: string | null;
                        key: string | null;
                        key_id: string | null;
                        model: string;
                        hosted_model: string | null;
                        endpoint: string | null;
                        endpoint_id: string | null;
                        streaming: boolean;
                        stop_reason: string | null;
                        tokens: {
                            input: number;
                            output: number;
                            cache_read: number;
                            cache_write_5m: number;
                            cache_write_1h: number;
                        };
                        web_searches: number;
                        cost_usd: number;
                        duration_ms: number;
                        first_token_ms: number | null;
                        session_id: string | null;
                        agent_id: string | null;
                        parent_agent_id: string | null;
                        tools: string[];
                        flags: string[];
                        price: {
                            /** @enum {string} */
                            kind: "input" | "output" | "cache_read" | "cache_write_5m" | "cache_write_1h";
                            tokens: number;
                            usd_per_mtok: number;
                            usd: number;
                        }[];
                        /** @description The part of `cost_usd` that its web searches cost; `price` holds the rest. */
                        web_search_cost_usd: number;
                        attempts: {
                            endpoint: string;
                            hosted_model: string;
                            status: number;
                            error: string | null;
                            reason: {
                                /** @enum {string} */
                                kind: "budget" | "rate_limit" | "token_limit" | "concurrency" | "model_access" | "credential" | "invalid_request" | "throttled_by_aws" | "aws_access" | "aws_unavailable" | "guardrail" | "timeout" | "network" | "client_left" | "gateway";
                                /** @description A code of the error catalogue, or the name of an AWS exception. */
                                code: string;
                                /** @description The sentence that the client received. Null when `store_failure_messages` is false. */
                                message: string | null;
                                /** @description The limit that was reached, as it was then. Null for other causes. */
                                limit: {
                                    /** @enum {string} */
                                    scope: "key" | "user" | "team" | "default";
                                    id: string;
                                    name: string;
                                    limit: number;
                                    used: number;
                                    /** @enum {string} */
                                    unit: "usd" | "requests_per_minute";
                                    /** Format: date-time */
                                    resets_at: string;
                                } | null;
                            } | null;
                            duration_ms: number;
                        }[];
                        routing: string | null;
                        betas: {
                            sent: string[];
                            stripped: string[];
                        };
                        repairs: string[];
                        rounds: {
                            round: number;
                            /** Format: date-time */
                            at: string;
                            status: number;
                            endpoint: string | null;
                            hosted_model: string | null;
                            stop_reason: string | null;
                            tokens: {
                                input: number;
                                output: number;
                                cache_read: number;
                                cache_write_5m: number;
                                cache_write_1h: number;
                            };
                            web_searches: number;
                            cost_usd: number;
                            duration_ms: number;
                        }[];
                    };
                };
            };
            /** @description A parameter or field is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No valid credential */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The account is deactivated */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is nothing with this id */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_me_search_provider: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The provider */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {string} */
                        mode: "enabled" | "disabled" | "global";
                        provider: {
                            /** @enum {string} */
                            provider_type: "duckduckgo" | "tavily" | "serper" | "custom" | "searxng";
                            api_url: string | null;
                            max_results: number;
                            has_api_key: boolean;
                            /** Format: date-time */
                            updated_at: string;
                        } | null;
                    };
                };
            };
            /** @description No valid credential */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The account is deactivated */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    put_me_search_provider: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    provider_type: "duckduckgo" | "tavily" | "serper" | "custom" | "searxng";
                    api_key?: (string & (unknown & unknown)) | null;
                    api_url?: string | null;
                    /** @description Clamped to 1 to 20; default 10. */
                    max_results?: number;
                };
            };
        };
        responses: {
            /** @description The provider */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {string} */
                        mode: "enabled" | "disabled" | "global";
                        provider: {
                            /** @enum {string} */
                            provider_type: "duckduckgo" | "tavily" | "serper" | "custom" | "searxng";
                            api_url: string | null;
                            max_results: number;
                            has_api_key: boolean;
                            /** Format: date-time */
                            updated_at: string;
                        } | null;
                    };
                };
            };
            /** @description A parameter or field is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No valid credential */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A virtual key was sent, or the account is deactivated */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    delete_me_search_provider: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Nothing is stored any more */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No valid credential */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A virtual key was sent, or the account is deactivated */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    post_me_search_provider_test: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    provider_type?: "duckduckgo" | "tavily" | "serper" | "custom" | "searxng";
                    api_key?: (string & (unknown & unknown)) | null;
                    api_url?: string | null;
                    /** @description Clamped to 1 to 20; default 10. */
                    max_results?: number;
                    query?: string;
                };
            };
        };
        responses: {
            /** @description What came of it */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        success: boolean;
                        /** @enum {string} */
                        provider_type: "duckduckgo" | "tavily" | "serper" | "custom" | "searxng";
                        result_count: number;
                        error: string | null;
                        duration_ms: number;
                    };
                };
            };
            /** @description A parameter or field is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No valid credential */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A virtual key was sent, or the account is deactivated */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Web search is switched off, or the stored key cannot be opened */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_me_sessions: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
                q?: string;
                sort?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Sessions without their tokens */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /** Format: uuid */
                            id: string;
                            /** @enum {string} */
                            signed_in_with: "password" | "sso" | "cli" | "device";
                            client: string | null;
                            source_address: string | null;
                            /** Format: date-time */
                            created_at: string;
                            /** Format: date-time */
                            last_used_at: string;
                            /** Format: date-time */
                            expires_at: string;
                            current: boolean;
                        }[];
                        has_more: boolean;
                        next_cursor: string | null;
                    };
                };
            };
            /** @description A parameter or field is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No valid credential */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The account is deactivated */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    delete_me_sessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Signed out */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No valid credential */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A virtual key was sent, or the account is deactivated */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    delete_me_sessions_session_id: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                session_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Signed out, also when it was before */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A parameter or field is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No valid credential */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A virtual key was sent, or the account is deactivated */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is nothing with this id */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_me_usage: {
        parameters: {
            query?: {
                days?: 1 | 7 | 14 | 30 | 90;
                from?: string;
                to?: string;
                granularity?: "auto" | "hour" | "day" | "week";
                tz?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The usage */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        range: {
                            from: string;
                            to: string;
                            /** @enum {string} */
                            granularity: "hour" | "day" | "week";
                            tz: string;
                            until?: string;
                        };
                        totals: {
                            requests: number;
                            spend_usd: number;
                            input_tokens: number;
                            output_tokens: number;
                            cache_read_tokens: number;
                            cache_write_tokens: number;
                            cache_hit_rate: number;
                            cache_savings_usd: number;
                            errors: number;
                            avg_duration_ms: number;
                            tool_calls: number;
                            /** @description Requests to models without a price; their cost is an estimate. */
                            unpriced_requests: number;
                        };
                        previous: {
                            requests: number;
                            spend_usd: number;
                            input_tokens: number;
                            output_tokens: number;
                            cache_read_tokens: number;
                            cache_write_tokens: number;
                            cache_hit_rate: number;
                            cache_savings_usd: number;
                            errors: number;
                            avg_duration_ms: number;
                            tool_calls: number;
                            /** @description Requests to models without a price; their cost is an estimate. */
                            unpriced_requests: number;
                        };
                        timeseries: {
                            /** Format: date-time */
                            bucket: string;
                            requests: number;
                            spend_usd: number;
                        }[];
                        by_model: {
                            name: string;
                            spend_usd: number;
                            requests: number;
                            tokens: number;
                            unpriced_requests: number;
                        }[];
                    };
                };
            };
            /** @description A parameter or field is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No valid credential */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The account is deactivated */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_me_views: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Views */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            name: string;
                            path: string;
                            /** Format: date-time */
                            updated_at: string;
                        }[];
                    };
                };
            };
            /** @description No valid credential */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The account is deactivated */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    put_me_views_name: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The part of the address from # on. */
                    path: string;
                };
            };
        };
        responses: {
            /** @description The view */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        name: string;
                        path: string;
                        /** Format: date-time */
                        updated_at: string;
                    };
                };
            };
            /** @description A parameter or field is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No valid credential */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A virtual key was sent, or the account is deactivated */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There are 50 already */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    delete_me_views_name: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A parameter or field is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No valid credential */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A virtual key was sent, or the account is deactivated */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no view with this name */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_metrics: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Prometheus text */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description METRICS_TOKEN was not sent */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    post_model_model_id_count_tokens: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                model_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    input: {
                        [key: string]: unknown;
                    };
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description The number of input tokens */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        inputTokens: number;
                    };
                };
            };
            /** @description No such model here */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BedrockError"];
                };
            };
            /** @description An error as Amazon Bedrock writes it. The header `x-amzn-errortype` names the exception. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BedrockError"];
                };
            };
        };
    };
    post_model_model_id_invoke: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                model_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    anthropic_version?: string;
                    max_tokens: number;
                    messages: unknown[];
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description The answer of the model */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        /** @constant */
                        type: "message";
                        /** @constant */
                        role: "assistant";
                        model: string;
                        content: ({
                            type: string;
                        } & {
                            [key: string]: unknown;
                        })[];
                        stop_reason: string | null;
                        stop_sequence: string | null;
                        usage: {
                            input_tokens: number;
                            output_tokens: number;
                        } & {
                            [key: string]: unknown;
                        };
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description Not accepted by the gateway or the model */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BedrockError"];
                };
            };
            /** @description No such model here */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BedrockError"];
                };
            };
            /** @description Over a rate limit or a budget, or throttled by the hosted service */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BedrockError"];
                };
            };
            /** @description An error as Amazon Bedrock writes it. The header `x-amzn-errortype` names the exception. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BedrockError"];
                };
            };
        };
    };
    post_model_model_id_invoke_with_response_stream: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                model_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    anthropic_version?: string;
                    max_tokens: number;
                    messages: unknown[];
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description The answer of the model as a stream */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.amazon.eventstream": string;
                };
            };
            /** @description Not accepted by the gateway or the model */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BedrockError"];
                };
            };
            /** @description No such model here */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BedrockError"];
                };
            };
            /** @description Over a rate limit or a budget, or throttled by the hosted service */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BedrockError"];
                };
            };
            /** @description An error as Amazon Bedrock writes it. The header `x-amzn-errortype` names the exception. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BedrockError"];
                };
            };
        };
    };
    post_oauth_device_authorization: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The codes */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Too many from this address */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    post_oauth_revoke: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The token no longer works */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no token, or the body is not a form */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Too many from this address */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The database does not answer. The session is still open, so try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    post_oauth_token: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Tokens */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Pending, refused, expired or not understood; see `error` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `invalid_grant`: sign in again */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Too many from this address */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_openapi_json: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OpenAPI 3.1 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_portal: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Signed in */
            303: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A page: the sign-in cannot be finished */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_portal_: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description To `/portal` */
            302: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_portal_assets_file: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                file: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No such file */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_portal_notice_css: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_protocol: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Markdown */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_ready: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Ready */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Starting or draining */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    head_ready: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Ready */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Starting or draining */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_scim_v2_Groups: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Groups */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/scim+json": {
                        schemas: string[];
                        totalResults: number;
                        startIndex: number;
                        itemsPerPage: number;
                        Resources: ({
                            schemas: string[];
                            id: string;
                            meta?: {
                                resourceType: string;
                                location: string;
                            } & {
                                [key: string]: unknown;
                            };
                            displayName?: string;
                            externalId?: string;
                            members?: {
                                value: string;
                                display?: string;
                                $ref: string;
                                /** @constant */
                                type: "User";
                            }[];
                        } & {
                            [key: string]: unknown;
                        })[];
                    };
                };
            };
            /** @description The request is not understood */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/scim+json": components["schemas"]["ScimError"];
                };
            };
            /** @description No valid provisioning token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/scim+json": components["schemas"]["ScimError"];
                };
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/scim+json": components["schemas"]["ScimError"];
                };
            };
            /** @description A SCIM error (RFC 7644 3.12). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/scim+json": components["schemas"]["ScimError"];
                };
            };
        };
    };
    post_scim_v2_Groups: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/scim+json": {
                    schemas?: string[];
                    displayName: string;
                    externalId?: string;
                    members?: ({
                        value: string;
                    } & {
                        [key: string]: unknown;
                    })[];
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description The group */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/scim+json": {
                        schemas: string[];
                        id: string;
                        meta?: {
                            resourceType: string;
                            location: string;
                        } & {
                            [key: string]: unknown;
                        };
                        displayName?: string;
                        externalId?: string;
                        members?: {
                            value: string;
                            display?: string;
                            $ref: string;
                            /** @constant */
                            type: "User";
                        }[];
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description The request is not understood, or a member is unknown */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/scim+json": components["schemas"]["ScimError"];
                };
            };
            /** @description No valid provisioning token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/scim+json": components["schemas"]["ScimError"];
                };
            };
            /** @description The name is taken */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/scim+json": components["schemas"]["ScimError"];
                };
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/scim+json": components["schemas"]["ScimError"];
                };
            };
            /** @description A SCIM error (RFC 7644 3.12). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/scim+json": components["schemas"]["ScimError"];
                };
            };
        };
    };
    get_scim_v2_Groups_id: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The group */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/scim+json": {
                        schemas: string[];
                        id: string;
                        meta?: {
                            resourceType: string;
                            location: string;
                        } & {
                            [key: string]: unknown;
                        };
                        displayName?: string;
                        externalId?: string;
                        members?: {
                            value: string;
                            display?: string;
                            $ref: string;
                            /** @constant */
                            type: "User";
                        }[];
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description No valid provisioning token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/scim+json": components["schemas"]["ScimError"];
                };
            };
            /** @description This provider has no such group */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/scim+json": components["schemas"]["ScimError"];
                };
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/scim+json": components["schemas"]["ScimError"];
                };
            };
            /** @description A SCIM error (RFC 7644 3.12). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/scim+json": components["schemas"]["ScimError"];
                };
            };
        };
    };
    put_scim_v2_Groups_id: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/scim+json": {
                    schemas?: string[];
                    displayName: string;
                    externalId?: string;
                    members?: ({
                        value: string;
                    } & {
                        [key: string]: unknown;
                    })[];
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description The group */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/scim+json": {
                        schemas: string[];
                        id: string;
                        meta?: {
                            resourceType: string;
                            location: string;
                        } & {
                            [key: string]: unknown;
                        };
                        displayName?: string;
                        externalId?: string;
                        members?: {
                            value: string;
                            display?: string;
                            $ref: string;
                            /** @constant */
                            type: "User";
                        }[];
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description The request is not understood, or a member is unknown */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/scim+json": components["schemas"]["ScimError"];
                };
            };
            /** @description No valid provisioning token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/scim+json": components["schemas"]["ScimError"];
                };
            };
            /** @description This provider has no such group */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/scim+json": components["schemas"]["ScimError"];
                };
            };
            /** @description The name is taken */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/scim+json": components["schemas"]["ScimError"];
                };
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/scim+json": components["schemas"]["ScimError"];
                };
            };
            /** @description A SCIM error (RFC 7644 3.12). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/scim+json": components["schemas"]["ScimError"];
                };
            };
        };
    };
    delete_scim_v2_Groups_id: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No valid provisioning token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/scim+json": components["schemas"]["ScimError"];
                };
            };
            /** @description This provider has no such group */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/scim+json": components["schemas"]["ScimError"];
                };
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/scim+json": components["schemas"]["ScimError"];
                };
            };
            /** @description A SCIM error (RFC 7644 3.12). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/scim+json": components["schemas"]["ScimError"];
                };
            };
        };
    };
    patch_scim_v2_Groups_id: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/scim+json": {
                    schemas?: string[];
                    Operations: ({
                        op: string;
                        path?: string;
                        value?: unknown;
                    } & {
                        [key: string]: unknown;
                    })[];
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description Changed */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request is not understood, or a member is unknown */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/scim+json": components["schemas"]["ScimError"];
                };
            };
            /** @description No valid provisioning token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/scim+json": components["schemas"]["ScimError"];
                };
            };
            /** @description This provider has no such group */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/scim+json": components["schemas"]["ScimError"];
                };
            };
            /** @description The name is taken */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/scim+json": components["schemas"]["ScimError"];
                };
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/scim+json": components["schemas"]["ScimError"];
                };
            };
            /** @description A SCIM error (RFC 7644 3.12). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/scim+json": components["schemas"]["ScimError"];
                };
            };
        };
    };
    get_scim_v2_ResourceTypes: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The list */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/scim+json": {
                        schemas: string[];
                        totalResults: number;
                        startIndex: number;
                        itemsPerPage: number;
                        Resources: ({
                            schemas: string[];
                            meta: {
                                resourceType: string;
                                location: string;
                            } & {
                                [key: string]: unknown;
                            };
                        } & {
                            [key: string]: unknown;
                        })[];
                    };
                };
            };
            /** @description No valid provisioning token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/scim+json": components["schemas"]["ScimError"];
                };
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/scim+json": components["schemas"]["ScimError"];
                };
            };
            /** @description A SCIM error (RFC 7644 3.12). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/scim+json": components["schemas"]["ScimError"];
                };
            };
        };
    };
    get_scim_v2_ResourceTypes_id: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/scim+json": {
                        schemas: string[];
                        meta: {
                            resourceType: string;
                            location: string;
                        } & {
                            [key: string]: unknown;
                        };
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description No valid provisioning token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/scim+json": components["schemas"]["ScimError"];
                };
            };
            /** @description There is none with this id */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/scim+json": components["schemas"]["ScimError"];
                };
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/scim+json": components["schemas"]["ScimError"];
                };
            };
            /** @description A SCIM error (RFC 7644 3.12). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/scim+json": components["schemas"]["ScimError"];
                };
            };
        };
    };
    get_scim_v2_Schemas: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The list */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/scim+json": {
                        schemas: string[];
                        totalResults: number;
                        startIndex: number;
                        itemsPerPage: number;
                        Resources: ({
                            schemas: string[];
                            meta: {
                                resourceType: string;
                                location: string;
                            } & {
                                [key: string]: unknown;
                            };
                        } & {
                            [key: string]: unknown;
                        })[];
                    };
                };
            };
            /** @description No valid provisioning token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/scim+json": components["schemas"]["ScimError"];
                };
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/scim+json": components["schemas"]["ScimError"];
                };
            };
            /** @description A SCIM error (RFC 7644 3.12). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/scim+json": components["schemas"]["ScimError"];
                };
            };
        };
    };
    get_scim_v2_Schemas_id: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/scim+json": {
                        schemas: string[];
                        meta: {
                            resourceType: string;
                            location: string;
                        } & {
                            [key: string]: unknown;
                        };
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description No valid provisioning token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/scim+json": components["schemas"]["ScimError"];
                };
            };
            /** @description There is none with this id */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/scim+json": components["schemas"]["ScimError"];
                };
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/scim+json": components["schemas"]["ScimError"];
                };
            };
            /** @description A SCIM error (RFC 7644 3.12). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/scim+json": components["schemas"]["ScimError"];
                };
            };
        };
    };
    get_scim_v2_ServiceProviderConfig: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The capabilities */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/scim+json": {
                        schemas: string[];
                        meta: {
                            resourceType: string;
                            location: string;
                        } & {
                            [key: string]: unknown;
                        };
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description No valid provisioning token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/scim+json": components["schemas"]["ScimError"];
                };
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/scim+json": components["schemas"]["ScimError"];
                };
            };
            /** @description A SCIM error (RFC 7644 3.12). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/scim+json": components["schemas"]["ScimError"];
                };
            };
        };
    };
    get_scim_v2_Users: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Users */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/scim+json": {
                        schemas: string[];
                        totalResults: number;
                        startIndex: number;
                        itemsPerPage: number;
                        Resources: ({
                            schemas: string[];
                            id: string;
                            meta?: {
                                resourceType: string;
                                location: string;
                            } & {
                                [key: string]: unknown;
                            };
                            userName?: string;
                            externalId?: string;
                            displayName?: string;
                            name?: {
                                formatted?: string;
                                givenName?: string;
                                familyName?: string;
                            };
                            active?: boolean;
                            emails?: {
                                value: string;
                                type: string;
                                primary: boolean;
                            }[];
                            groups?: {
                                value: string;
                                display?: string;
                                $ref: string;
                            }[];
                        } & {
                            [key: string]: unknown;
                        })[];
                    };
                };
            };
            /** @description The request is not understood */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/scim+json": components["schemas"]["ScimError"];
                };
            };
            /** @description No valid provisioning token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/scim+json": components["schemas"]["ScimError"];
                };
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/scim+json": components["schemas"]["ScimError"];
                };
            };
            /** @description A SCIM error (RFC 7644 3.12). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/scim+json": components["schemas"]["ScimError"];
                };
            };
        };
    };
    post_scim_v2_Users: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/scim+json": {
                    schemas?: string[];
                    userName: string;
                    externalId?: string;
                    displayName?: string;
                    name?: {
                        givenName?: string;
                        familyName?: string;
                        formatted?: string;
                    } & {
                        [key: string]: unknown;
                    };
                    emails?: ({
                        value: string;
                    } & {
                        [key: string]: unknown;
                    })[];
                    active?: boolean;
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description The user */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/scim+json": {
                        schemas: string[];
                        id: string;
                        meta?: {
                            resourceType: string;
                            location: string;
                        } & {
                            [key: string]: unknown;
                        };
                        userName?: string;
                        externalId?: string;
                        displayName?: string;
                        name?: {
                            formatted?: string;
                            givenName?: string;
                            familyName?: string;
                        };
                        active?: boolean;
                        emails?: {
                            value: string;
                            type: string;
                            primary: boolean;
                        }[];
                        groups?: {
                            value: string;
                            display?: string;
                            $ref: string;
                        }[];
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description The request is not understood */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/scim+json": components["schemas"]["ScimError"];
                };
            };
            /** @description No valid provisioning token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/scim+json": components["schemas"]["ScimError"];
                };
            };
            /** @description The name is taken, or an administrator is protected */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/scim+json": components["schemas"]["ScimError"];
                };
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/scim+json": components["schemas"]["ScimError"];
                };
            };
            /** @description A SCIM error (RFC 7644 3.12). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/scim+json": components["schemas"]["ScimError"];
                };
            };
        };
    };
    get_scim_v2_Users_id: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The user */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/scim+json": {
                        schemas: string[];
                        id: string;
                        meta?: {
                            resourceType: string;
                            location: string;
                        } & {
                            [key: string]: unknown;
                        };
                        userName?: string;
                        externalId?: string;
                        displayName?: string;
                        name?: {
                            formatted?: string;
                            givenName?: string;
                            familyName?: string;
                        };
                        active?: boolean;
                        emails?: {
                            value: string;
                            type: string;
                            primary: boolean;
                        }[];
                        groups?: {
                            value: string;
                            display?: string;
                            $ref: string;
                        }[];
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description No valid provisioning token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/scim+json": components["schemas"]["ScimError"];
                };
            };
            /** @description This provider manages no such user */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/scim+json": components["schemas"]["ScimError"];
                };
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/scim+json": components["schemas"]["ScimError"];
                };
            };
            /** @description A SCIM error (RFC 7644 3.12). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/scim+json": components["schemas"]["ScimError"];
                };
            };
        };
    };
    put_scim_v2_Users_id: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/scim+json": {
                    schemas?: string[];
                    userName: string;
                    externalId?: string;
                    displayName?: string;
                    name?: {
                        givenName?: string;
                        familyName?: string;
                        formatted?: string;
                    } & {
                        [key: string]: unknown;
                    };
                    emails?: ({
                        value: string;
                    } & {
                        [key: string]: unknown;
                    })[];
                    active?: boolean;
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description The user */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/scim+json": {
                        schemas: string[];
                        id: string;
                        meta?: {
                            resourceType: string;
                            location: string;
                        } & {
                            [key: string]: unknown;
                        };
                        userName?: string;
                        externalId?: string;
                        displayName?: string;
                        name?: {
                            formatted?: string;
                            givenName?: string;
                            familyName?: string;
                        };
                        active?: boolean;
                        emails?: {
                            value: string;
                            type: string;
                            primary: boolean;
                        }[];
                        groups?: {
                            value: string;
                            display?: string;
                            $ref: string;
                        }[];
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description The request is not understood */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/scim+json": components["schemas"]["ScimError"];
                };
            };
            /** @description No valid provisioning token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/scim+json": components["schemas"]["ScimError"];
                };
            };
            /** @description This provider manages no such user */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/scim+json": components["schemas"]["ScimError"];
                };
            };
            /** @description The name is taken, or an administrator is protected */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/scim+json": components["schemas"]["ScimError"];
                };
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/scim+json": components["schemas"]["ScimError"];
                };
            };
            /** @description A SCIM error (RFC 7644 3.12). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/scim+json": components["schemas"]["ScimError"];
                };
            };
        };
    };
    delete_scim_v2_Users_id: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No valid provisioning token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/scim+json": components["schemas"]["ScimError"];
                };
            };
            /** @description This provider manages no such user */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/scim+json": components["schemas"]["ScimError"];
                };
            };
            /** @description The name is taken, or an administrator is protected */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/scim+json": components["schemas"]["ScimError"];
                };
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/scim+json": components["schemas"]["ScimError"];
                };
            };
            /** @description A SCIM error (RFC 7644 3.12). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/scim+json": components["schemas"]["ScimError"];
                };
            };
        };
    };
    patch_scim_v2_Users_id: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/scim+json": {
                    schemas?: string[];
                    Operations: ({
                        op: string;
                        path?: string;
                        value?: unknown;
                    } & {
                        [key: string]: unknown;
                    })[];
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description The user */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/scim+json": {
                        schemas: string[];
                        id: string;
                        meta?: {
                            resourceType: string;
                            location: string;
                        } & {
                            [key: string]: unknown;
                        };
                        userName?: string;
                        externalId?: string;
                        displayName?: string;
                        name?: {
                            formatted?: string;
                            givenName?: string;
                            familyName?: string;
                        };
                        active?: boolean;
                        emails?: {
                            value: string;
                            type: string;
                            primary: boolean;
                        }[];
                        groups?: {
                            value: string;
                            display?: string;
                            $ref: string;
                        }[];
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description The request is not understood */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/scim+json": components["schemas"]["ScimError"];
                };
            };
            /** @description No valid provisioning token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/scim+json": components["schemas"]["ScimError"];
                };
            };
            /** @description This provider manages no such user */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/scim+json": components["schemas"]["ScimError"];
                };
            };
            /** @description The name is taken, or an administrator is protected */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/scim+json": components["schemas"]["ScimError"];
                };
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/scim+json": components["schemas"]["ScimError"];
                };
            };
            /** @description A SCIM error (RFC 7644 3.12). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/scim+json": components["schemas"]["ScimError"];
                };
            };
        };
    };
    get_setup: {
        parameters: {
            query?: {
                platform?: "windows" | "macos" | "linux" | "unix";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The script, for POSIX sh or for PowerShell */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The Host header cannot be used */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_setup_ps1: {
        parameters: {
            query?: {
                platform?: "windows" | "macos" | "linux" | "unix";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The script, for POSIX sh or for PowerShell */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The Host header cannot be used */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    post_v1_logs: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Accepted */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Larger than 16 MiB */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    post_v1_messages: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    model: string;
                    max_tokens: number;
                    messages: ({
                        role: string;
                        content: unknown;
                    } & {
                        [key: string]: unknown;
                    })[];
                    stream?: boolean;
                    system?: unknown;
                    tools?: unknown[];
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description The answer of the model, whole or as a stream */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not accepted by the gateway or the model */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No such model here */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Over a rate limit or a budget, or throttled by the hosted service */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    post_v1_messages_count_tokens: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    model: string;
                    messages: unknown[];
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description The number of input tokens */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No such model here */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    post_v1_metrics: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Accepted */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Larger than 16 MiB */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_v1_models: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of models */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_v1_models_id: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The model */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not available to you */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_v1_organizations_cost_report: {
        parameters: {
            query: {
                starting_at: string;
                ending_at?: string;
                limit?: number;
                page?: string;
                bucket_width?: "1d";
                group_by?: ("workspace_id" | "description") | ("workspace_id" | "description")[];
                "group_by[]"?: ("workspace_id" | "description") | ("workspace_id" | "description")[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Cost by day */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /** Format: date-time */
                            starting_at: string;
                            /** Format: date-time */
                            ending_at: string;
                            results: {
                                /** @constant */
                                currency: "USD";
                                /** @description Cents, exact to the nano-dollar. */
                                amount: string;
                                workspace_id: string | null;
                                description: string | null;
                                cost_type: ("tokens" | "web_search") | null;
                                model: string | null;
                                service_tier: string | null;
                                token_type: null;
                                context_window: null;
                                inference_geo: string | null;
                            }[];
                        }[];
                        has_more: boolean;
                        next_page: string | null;
                    };
                };
            };
            /** @description A parameter or field is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No valid credential */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not an administrator and without a grant for it, or deactivated */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_v1_organizations_me: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The organization */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        /** @constant */
                        type: "organization";
                        name: string;
                    };
                };
            };
            /** @description No valid credential */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not an administrator and without a grant for it, or deactivated */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_v1_organizations_spend_limit_increase_requests: {
        parameters: {
            query?: {
                limit?: number;
                page?: string;
                status?: ("pending" | "approved" | "denied") | ("pending" | "approved" | "denied")[];
                "status[]"?: ("pending" | "approved" | "denied") | ("pending" | "approved" | "denied")[];
                actor_ids?: string | string[];
                "actor_ids[]"?: string | string[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Requests */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /** @constant */
                            type: "spend_limit_increase_request";
                            /** Format: uuid */
                            id: string;
                            actor: {
                                /** @constant */
                                type: "user_actor";
                                user_id: string;
                                email_address: string | null;
                                name: string | null;
                                deleted: boolean;
                            };
                            /** @enum {string} */
                            status: "pending" | "approved" | "denied";
                            /** @enum {string} */
                            period: "daily" | "weekly" | "monthly";
                            /** Format: date-time */
                            created_at: string;
                            resolved_at: string | null;
                            resolved_by: {
                                /** @constant */
                                type: "user_actor";
                                user_id: string;
                                email_address: string | null;
                                name: string | null;
                                deleted: boolean;
                            } | null;
                            spend_summary: {
                                actor: {
                                    /** @constant */
                                    type: "user_actor";
                                    user_id: string;
                                    email_address: string | null;
                                    name: string | null;
                                    deleted: boolean;
                                };
                                amount: string;
                                /** @constant */
                                currency: "USD";
                                /** @enum {string} */
                                period: "daily" | "weekly" | "monthly";
                                period_to_date_spend: string;
                                scope: {
                                    /** @constant */
                                    type: "user";
                                    user_id: string;
                                } | {
                                    /** @constant */
                                    type: "workspace";
                                    workspace_id: string;
                                } | {
                                    /** @constant */
                                    type: "rbac_group";
                                    rbac_group_id: string;
                                } | {
                                    /** @constant */
                                    type: "seat_tier";
                                    seat_tier: string;
                                };
                                source: {
                                    /** @constant */
                                    type: "user";
                                    user_id: string;
                                } | {
                                    /** @constant */
                                    type: "workspace";
                                    workspace_id: string;
                                } | {
                                    /** @constant */
                                    type: "rbac_group";
                                    rbac_group_id: string;
                                } | {
                                    /** @constant */
                                    type: "seat_tier";
                                    seat_tier: string;
                                };
                                spend_limit_id: string;
                            } | null;
                        }[];
                        next_page: string | null;
                    };
                };
            };
            /** @description A parameter or field is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No valid credential */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not an administrator and without a grant for it, or deactivated */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_v1_organizations_spend_limit_increase_requests_spend_limit_increase_request_id: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                spend_limit_increase_request_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        type: "spend_limit_increase_request";
                        /** Format: uuid */
                        id: string;
                        actor: {
                            /** @constant */
                            type: "user_actor";
                            user_id: string;
                            email_address: string | null;
                            name: string | null;
                            deleted: boolean;
                        };
                        /** @enum {string} */
                        status: "pending" | "approved" | "denied";
                        /** @enum {string} */
                        period: "daily" | "weekly" | "monthly";
                        /** Format: date-time */
                        created_at: string;
                        resolved_at: string | null;
                        resolved_by: {
                            /** @constant */
                            type: "user_actor";
                            user_id: string;
                            email_address: string | null;
                            name: string | null;
                            deleted: boolean;
                        } | null;
                        spend_summary: {
                            actor: {
                                /** @constant */
                                type: "user_actor";
                                user_id: string;
                                email_address: string | null;
                                name: string | null;
                                deleted: boolean;
                            };
                            amount: string;
                            /** @constant */
                            currency: "USD";
                            /** @enum {string} */
                            period: "daily" | "weekly" | "monthly";
                            period_to_date_spend: string;
                            scope: {
                                /** @constant */
                                type: "user";
                                user_id: string;
                            } | {
                                /** @constant */
                                type: "workspace";
                                workspace_id: string;
                            } | {
                                /** @constant */
                                type: "rbac_group";
                                rbac_group_id: string;
                            } | {
                                /** @constant */
                                type: "seat_tier";
                                seat_tier: string;
                            };
                            source: {
                                /** @constant */
                                type: "user";
                                user_id: string;
                            } | {
                                /** @constant */
                                type: "workspace";
                                workspace_id: string;
                            } | {
                                /** @constant */
                                type: "rbac_group";
                                rbac_group_id: string;
                            } | {
                                /** @constant */
                                type: "seat_tier";
                                seat_tier: string;
                            };
                            spend_limit_id: string;
                        } | null;
                    };
                };
            };
            /** @description A parameter or field is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No valid credential */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not an administrator and without a grant for it, or deactivated */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is nothing with this id */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    post_v1_organizations_spend_limit_increase_requests_spend_limit_increase_request_id_approve: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                spend_limit_increase_request_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    amount: string;
                    period?: ("daily" | "weekly" | "monthly") | null;
                    suppress_notification?: boolean;
                };
            };
        };
        responses: {
            /** @description The request and the limit */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        type: "spend_limit_increase_request";
                        /** Format: uuid */
                        id: string;
                        actor: {
                            /** @constant */
                            type: "user_actor";
                            user_id: string;
                            email_address: string | null;
                            name: string | null;
                            deleted: boolean;
                        };
                        /** @enum {string} */
                        status: "pending" | "approved" | "denied";
                        /** @enum {string} */
                        period: "daily" | "weekly" | "monthly";
                        /** Format: date-time */
                        created_at: string;
                        resolved_at: string | null;
                        resolved_by: {
                            /** @constant */
                            type: "user_actor";
                            user_id: string;
                            email_address: string | null;
                            name: string | null;
                            deleted: boolean;
                        } | null;
                        spend_summary: {
                            actor: {
                                /** @constant */
                                type: "user_actor";
                                user_id: string;
                                email_address: string | null;
                                name: string | null;
                                deleted: boolean;
                            };
                            amount: string;
                            /** @constant */
                            currency: "USD";
                            /** @enum {string} */
                            period: "daily" | "weekly" | "monthly";
                            period_to_date_spend: string;
                            scope: {
                                /** @constant */
                                type: "user";
                                user_id: string;
                            } | {
                                /** @constant */
                                type: "workspace";
                                workspace_id: string;
                            } | {
                                /** @constant */
                                type: "rbac_group";
                                rbac_group_id: string;
                            } | {
                                /** @constant */
                                type: "seat_tier";
                                seat_tier: string;
                            };
                            source: {
                                /** @constant */
                                type: "user";
                                user_id: string;
                            } | {
                                /** @constant */
                                type: "workspace";
                                workspace_id: string;
                            } | {
                                /** @constant */
                                type: "rbac_group";
                                rbac_group_id: string;
                            } | {
                                /** @constant */
                                type: "seat_tier";
                                seat_tier: string;
                            };
                            spend_limit_id: string;
                        } | null;
                        spend_limit: {
                            /** @constant */
                            type: "spend_limit";
                            id: string;
                            amount: string;
                            /** @constant */
                            currency: "USD";
                            /** @enum {string} */
                            period: "daily" | "weekly" | "monthly";
                            scope: {
                                /** @constant */
                                type: "user";
                                user_id: string;
                            } | {
                                /** @constant */
                                type: "workspace";
                                workspace_id: string;
                            } | {
                                /** @constant */
                                type: "rbac_group";
                                rbac_group_id: string;
                            } | {
                                /** @constant */
                                type: "seat_tier";
                                seat_tier: string;
                            };
                            /** @constant */
                            is_enabled: true;
                            /** Format: date-time */
                            created_at: string;
                            /** Format: date-time */
                            updated_at: string;
                        };
                    };
                };
            };
            /** @description A parameter or field is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No valid credential */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not an administrator and without a grant for it, or deactivated */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is nothing with this id */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No budget is in force any more */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    post_v1_organizations_spend_limit_increase_requests_spend_limit_increase_request_id_deny: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                spend_limit_increase_request_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    suppress_notification?: boolean;
                };
            };
        };
        responses: {
            /** @description The request */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        type: "spend_limit_increase_request";
                        /** Format: uuid */
                        id: string;
                        actor: {
                            /** @constant */
                            type: "user_actor";
                            user_id: string;
                            email_address: string | null;
                            name: string | null;
                            deleted: boolean;
                        };
                        /** @enum {string} */
                        status: "pending" | "approved" | "denied";
                        /** @enum {string} */
                        period: "daily" | "weekly" | "monthly";
                        /** Format: date-time */
                        created_at: string;
                        resolved_at: string | null;
                        resolved_by: {
                            /** @constant */
                            type: "user_actor";
                            user_id: string;
                            email_address: string | null;
                            name: string | null;
                            deleted: boolean;
                        } | null;
                        spend_summary: {
                            actor: {
                                /** @constant */
                                type: "user_actor";
                                user_id: string;
                                email_address: string | null;
                                name: string | null;
                                deleted: boolean;
                            };
                            amount: string;
                            /** @constant */
                            currency: "USD";
                            /** @enum {string} */
                            period: "daily" | "weekly" | "monthly";
                            period_to_date_spend: string;
                            scope: {
                                /** @constant */
                                type: "user";
                                user_id: string;
                            } | {
                                /** @constant */
                                type: "workspace";
                                workspace_id: string;
                            } | {
                                /** @constant */
                                type: "rbac_group";
                                rbac_group_id: string;
                            } | {
                                /** @constant */
                                type: "seat_tier";
                                seat_tier: string;
                            };
                            source: {
                                /** @constant */
                                type: "user";
                                user_id: string;
                            } | {
                                /** @constant */
                                type: "workspace";
                                workspace_id: string;
                            } | {
                                /** @constant */
                                type: "rbac_group";
                                rbac_group_id: string;
                            } | {
                                /** @constant */
                                type: "seat_tier";
                                seat_tier: string;
                            };
                            spend_limit_id: string;
                        } | null;
                    };
                };
            };
            /** @description A parameter or field is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No valid credential */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not an administrator and without a grant for it, or deactivated */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is nothing with this id */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_v1_organizations_spend_limits: {
        parameters: {
            query?: {
                limit?: number;
                page?: string;
                scope_type?: ("seat_tier" | "rbac_group" | "workspace" | "user") | ("seat_tier" | "rbac_group" | "workspace" | "user")[];
                "scope_type[]"?: ("seat_tier" | "rbac_group" | "workspace" | "user") | ("seat_tier" | "rbac_group" | "workspace" | "user")[];
                workspace_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Limits */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /** @constant */
                            type: "spend_limit";
                            id: string;
                            amount: string;
                            /** @constant */
                            currency: "USD";
                            /** @enum {string} */
                            period: "daily" | "weekly" | "monthly";
                            scope: {
                                /** @constant */
                                type: "user";
                                user_id: string;
                            } | {
                                /** @constant */
                                type: "workspace";
                                workspace_id: string;
                            } | {
                                /** @constant */
                                type: "rbac_group";
                                rbac_group_id: string;
                            } | {
                                /** @constant */
                                type: "seat_tier";
                                seat_tier: string;
                            };
                            /** @constant */
                            is_enabled: true;
                            /** Format: date-time */
                            created_at: string;
                            /** Format: date-time */
                            updated_at: string;
                        }[];
                        next_page: string | null;
                    };
                };
            };
            /** @description A parameter or field is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No valid credential */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not an administrator and without a grant for it, or deactivated */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    post_v1_organizations_spend_limits: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    amount: string;
                    scope: {
                        /** @constant */
                        type: "user";
                        /** Format: uuid */
                        user_id: string;
                    } | {
                        /** @constant */
                        type: "workspace";
                        /** Format: uuid */
                        workspace_id: string;
                    };
                    /** @enum {string} */
                    period?: "daily" | "weekly" | "monthly";
                };
            };
        };
        responses: {
            /** @description The limit */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        type: "spend_limit";
                        id: string;
                        amount: string;
                        /** @constant */
                        currency: "USD";
                        /** @enum {string} */
                        period: "daily" | "weekly" | "monthly";
                        scope: {
                            /** @constant */
                            type: "user";
                            user_id: string;
                        } | {
                            /** @constant */
                            type: "workspace";
                            workspace_id: string;
                        } | {
                            /** @constant */
                            type: "rbac_group";
                            rbac_group_id: string;
                        } | {
                            /** @constant */
                            type: "seat_tier";
                            seat_tier: string;
                        };
                        /** @constant */
                        is_enabled: true;
                        /** Format: date-time */
                        created_at: string;
                        /** Format: date-time */
                        updated_at: string;
                    };
                };
            };
            /** @description A parameter or field is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No valid credential */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not an administrator and without a grant for it, or deactivated */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is nothing with this id */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_v1_organizations_spend_limits_effective: {
        parameters: {
            query?: {
                limit?: number;
                page?: string;
                period?: ("daily" | "weekly" | "monthly") | ("daily" | "weekly" | "monthly")[];
                "period[]"?: ("daily" | "weekly" | "monthly") | ("daily" | "weekly" | "monthly")[];
                user_ids?: string | string[];
                "user_ids[]"?: string | string[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Limits in force */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            actor: {
                                /** @constant */
                                type: "user_actor";
                                user_id: string;
                                email_address: string | null;
                                name: string | null;
                                deleted: boolean;
                            };
                            amount: string;
                            /** @constant */
                            currency: "USD";
                            /** @enum {string} */
                            period: "daily" | "weekly" | "monthly";
                            period_to_date_spend: string;
                            scope: {
                                /** @constant */
                                type: "user";
                                user_id: string;
                            } | {
                                /** @constant */
                                type: "workspace";
                                workspace_id: string;
                            } | {
                                /** @constant */
                                type: "rbac_group";
                                rbac_group_id: string;
                            } | {
                                /** @constant */
                                type: "seat_tier";
                                seat_tier: string;
                            };
                            source: {
                                /** @constant */
                                type: "user";
                                user_id: string;
                            } | {
                                /** @constant */
                                type: "workspace";
                                workspace_id: string;
                            } | {
                                /** @constant */
                                type: "rbac_group";
                                rbac_group_id: string;
                            } | {
                                /** @constant */
                                type: "seat_tier";
                                seat_tier: string;
                            };
                            spend_limit_id: string;
                        }[];
                        next_page: string | null;
                    };
                };
            };
            /** @description A parameter or field is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No valid credential */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not an administrator and without a grant for it, or deactivated */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_v1_organizations_spend_limits_spend_limit_id: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                spend_limit_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The limit */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        type: "spend_limit";
                        id: string;
                        amount: string;
                        /** @constant */
                        currency: "USD";
                        /** @enum {string} */
                        period: "daily" | "weekly" | "monthly";
                        scope: {
                            /** @constant */
                            type: "user";
                            user_id: string;
                        } | {
                            /** @constant */
                            type: "workspace";
                            workspace_id: string;
                        } | {
                            /** @constant */
                            type: "rbac_group";
                            rbac_group_id: string;
                        } | {
                            /** @constant */
                            type: "seat_tier";
                            seat_tier: string;
                        };
                        /** @constant */
                        is_enabled: true;
                        /** Format: date-time */
                        created_at: string;
                        /** Format: date-time */
                        updated_at: string;
                    };
                };
            };
            /** @description A parameter or field is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No valid credential */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not an administrator and without a grant for it, or deactivated */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is nothing with this id */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    delete_v1_organizations_spend_limits_spend_limit_id: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                spend_limit_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Removed */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        /** @constant */
                        type: "spend_limit_deleted";
                    };
                };
            };
            /** @description A parameter or field is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No valid credential */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not an administrator and without a grant for it, or deactivated */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is nothing with this id */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_v1_organizations_usage_report_messages: {
        parameters: {
            query: {
                starting_at: string;
                ending_at?: string;
                limit?: number;
                page?: string;
                bucket_width?: "1d" | "1h" | "1m";
                group_by?: ("api_key_id" | "workspace_id" | "model" | "account_id" | "service_account_id" | "service_tier" | "context_window" | "inference_geo" | "speed") | ("api_key_id" | "workspace_id" | "model" | "account_id" | "service_account_id" | "service_tier" | "context_window" | "inference_geo" | "speed")[];
                "group_by[]"?: ("api_key_id" | "workspace_id" | "model" | "account_id" | "service_account_id" | "service_tier" | "context_window" | "inference_geo" | "speed") | ("api_key_id" | "workspace_id" | "model" | "account_id" | "service_account_id" | "service_tier" | "context_window" | "inference_geo" | "speed")[];
                api_key_ids?: string | string[];
                "api_key_ids[]"?: string | string[];
                workspace_ids?: string | string[];
                "workspace_ids[]"?: string | string[];
                account_ids?: string | string[];
                "account_ids[]"?: string | string[];
                service_account_ids?: string | string[];
                "service_account_ids[]"?: string | string[];
                models?: string | string[];
                "models[]"?: string | string[];
                service_tiers?: ("standard" | "batch" | "priority" | "priority_on_demand" | "flex" | "flex_discount") | ("standard" | "batch" | "priority" | "priority_on_demand" | "flex" | "flex_discount")[];
                "service_tiers[]"?: ("standard" | "batch" | "priority" | "priority_on_demand" | "flex" | "flex_discount") | ("standard" | "batch" | "priority" | "priority_on_demand" | "flex" | "flex_discount")[];
                inference_geos?: ("global" | "us" | "not_available") | ("global" | "us" | "not_available")[];
                "inference_geos[]"?: ("global" | "us" | "not_available") | ("global" | "us" | "not_available")[];
                speeds?: ("standard" | "fast") | ("standard" | "fast")[];
                "speeds[]"?: ("standard" | "fast") | ("standard" | "fast")[];
                context_window?: unknown;
                "context_window[]"?: unknown;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Usage by bucket */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /** Format: date-time */
                            starting_at: string;
                            /** Format: date-time */
                            ending_at: string;
                            results: {
                                uncached_input_tokens: number;
                                cache_creation: {
                                    ephemeral_1h_input_tokens: number;
                                    ephemeral_5m_input_tokens: number;
                                };
                                cache_read_input_tokens: number;
                                output_tokens: number;
                                server_tool_use: {
                                    web_search_requests: number;
                                };
                                api_key_id: string | null;
                                workspace_id: string | null;
                                account_id: string | null;
                                service_account_id: string | null;
                                model: string | null;
                                service_tier: string | null;
                                context_window: string | null;
                                inference_geo: string | null;
                                speed: string | null;
                            }[];
                        }[];
                        has_more: boolean;
                        next_page: string | null;
                    };
                };
            };
            /** @description A parameter or field is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No valid credential */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not an administrator and without a grant for it, or deactivated */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_v1_organizations_users: {
        parameters: {
            query?: {
                limit?: number;
                after_id?: string;
                before_id?: string;
                email?: string;
                roles?: string | string[];
                "roles[]"?: string | string[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description People */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /** Format: uuid */
                            id: string;
                            /** @constant */
                            type: "user";
                            email: string;
                            name: string;
                            /** @enum {string} */
                            role: "admin" | "user";
                            /** Format: date-time */
                            added_at: string;
                        }[];
                        has_more: boolean;
                        first_id: string | null;
                        last_id: string | null;
                    };
                };
            };
            /** @description A parameter or field is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No valid credential */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not an administrator and without a grant for it, or deactivated */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_v1_organizations_users_user_id: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                user_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The person */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        id: string;
                        /** @constant */
                        type: "user";
                        email: string;
                        name: string;
                        /** @enum {string} */
                        role: "admin" | "user";
                        /** Format: date-time */
                        added_at: string;
                    };
                };
            };
            /** @description A parameter or field is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No valid credential */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not an administrator and without a grant for it, or deactivated */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is nothing with this id */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_v1_organizations_workspaces: {
        parameters: {
            query?: {
                limit?: number;
                after_id?: string;
                before_id?: string;
                include_archived?: "true" | "false";
                include_default?: "true" | "false";
                ids?: string | string[];
                "ids[]"?: string | string[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Teams */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /** Format: uuid */
                            id: string;
                            /** @constant */
                            type: "workspace";
                            name: string;
                            /** Format: date-time */
                            created_at: string;
                            archived_at: null;
                            display_color: string;
                            compartment_id: null;
                            data_residency: null;
                            external_key_id: null;
                            tags: Record<string, never>;
                            user_profile_id: null;
                        }[];
                        has_more: boolean;
                        first_id: string | null;
                        last_id: string | null;
                    };
                };
            };
            /** @description A parameter or field is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No valid credential */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not an administrator and without a grant for it, or deactivated */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_v1_organizations_workspaces_workspace_id: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The team */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        id: string;
                        /** @constant */
                        type: "workspace";
                        name: string;
                        /** Format: date-time */
                        created_at: string;
                        archived_at: null;
                        display_color: string;
                        compartment_id: null;
                        data_residency: null;
                        external_key_id: null;
                        tags: Record<string, never>;
                        user_profile_id: null;
                    };
                };
            };
            /** @description A parameter or field is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No valid credential */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not an administrator and without a grant for it, or deactivated */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is nothing with this id */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no database, or it does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    post_v1_traces: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Accepted */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Larger than 16 MiB */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error in the common shape. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
}
