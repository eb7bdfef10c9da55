/**
 * Forms of secrets that can be recognised by themselves, from what their issuers document, each with the name that a
 * masked one is shown by. A form is listed only if nothing else is written like it.
 */
export const SECRET_FORMS: readonly { name: string; form: string }[] = [
  // Code hosts and registries.
  { name: "GITHUB_TOKEN", form: "gh[pousr]_[A-Za-z0-9]{36,255}|github_pat_[A-Za-z0-9]{22}_[A-Za-z0-9]{59}" },
  { name: "GITLAB_TOKEN", form: "gl(?:pat|dt|rt|cbt|ptt|ft|imt|agent|oas|soat)-[\\w-]{20,300}" },
  { name: "NPM_TOKEN", form: "npm_[A-Za-z0-9]{36}" },
  { name: "PYPI_TOKEN", form: "pypi-AgE[\\w-]{50,300}" },
  { name: "RUBYGEMS_KEY", form: "rubygems_[0-9a-f]{48}" },
  { name: "DOCKER_TOKEN", form: "dckr_(?:pat|oat)_[\\w-]{27,32}" },
  { name: "ATLASSIAN_TOKEN", form: "ATATT3[\\w=-]{180,300}" },
  // Clouds.
  { name: "AWS_ACCESS_KEY_ID", form: "(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}" },
  { name: "GOOGLE_API_KEY", form: "AIza[\\w-]{35}" },
  { name: "GOOGLE_SECRET", form: "GOCSPX-[\\w-]{28}|ya29\\.[\\w-]{30,400}" },
  { name: "AZURE_KEY", form: "(?<=AccountKey=)[A-Za-z0-9+/]{86}==" },
  { name: "DIGITALOCEAN_TOKEN", form: "do[oprt]_v1_[0-9a-f]{64}" },
  { name: "DATABRICKS_TOKEN", form: "dapi[0-9a-f]{32}(?:-\\d)?" },
  { name: "VAULT_TOKEN", form: "hv[sbr]\\.[\\w-]{90,300}" },
  { name: "TERRAFORM_TOKEN", form: "[A-Za-z0-9]{14}\\.atlasv1\\.[\\w-]{60,80}" },
  { name: "SUPABASE_KEY", form: "sbp_[0-9a-f]{40}|sb_secret_[\\w-]{31,40}" },
  { name: "PLANETSCALE_TOKEN", form: "pscale_(?:tkn|pw|oauth)_[\\w.-]{32,64}" },
  { name: "NETLIFY_TOKEN", form: "nf[pcoub]_[A-Za-z0-9_]{36}" },
  { name: "HEROKU_KEY", form: "HRKU-AA[\\w-]{58}" },
  { name: "PULUMI_TOKEN", form: "pul-[0-9a-f]{40}" },
  { name: "DOPPLER_TOKEN", form: "dp\\.(?:pt|st|ct|sa|scim|audit)\\.[\\w.-]{40,64}" },
  { name: "TAILSCALE_KEY", form: "tskey-[a-z]+-[A-Za-z0-9]{10,30}-[A-Za-z0-9]{20,40}" },
  // Models.
  { name: "OPENAI_API_KEY", form: "sk-(?:proj-|svcacct-|admin-)?[\\w-]{20,120}T3BlbkFJ[\\w-]{20,120}" },
  { name: "ANTHROPIC_API_KEY", form: "sk-ant-[a-z]{3,6}\\d\\d-[\\w-]{80,120}" },
  { name: "OPENROUTER_API_KEY", form: "sk-or-v1-[0-9a-f]{64}" },
  { name: "GROQ_API_KEY", form: "gsk_[A-Za-z0-9]{52}" },
  { name: "XAI_API_KEY", form: "xai-[A-Za-z0-9]{80}" },
  { name: "HUGGINGFACE_TOKEN", form: "hf_[A-Za-z]{34}" },
  { name: "REPLICATE_TOKEN", form: "r8_[A-Za-z0-9]{37}" },
  { name: "PERPLEXITY_API_KEY", form: "pplx-[A-Za-z0-9]{48,56}" },
  { name: "LANGSMITH_KEY", form: "lsv2_(?:pt|sk)_[0-9a-f]{32}_[0-9a-f]{10}" },
  // Messages, payments, and services around them.
  {
    name: "SLACK_TOKEN",
    form: "xox[abeoprs]-(?:\\d-)?[A-Za-z0-9]{8,20}-[\\w-]{20,200}|xapp-\\d-[A-Z0-9]{9,12}-\\d{10,14}-[0-9a-f]{64}",
  },
  {
    name: "SLACK_WEBHOOK",
    form: "(?<=hooks\\.slack\\.com/(?:services|workflows|triggers)/)T[A-Z0-9]{8,12}/[\\w/]{20,80}",
  },
  { name: "DISCORD_WEBHOOK", form: "(?<=discord(?:app)?\\.com/api/webhooks/)\\d{17,20}/[\\w-]{60,80}" },
  { name: "DISCORD_TOKEN", form: "[MNO][A-Za-z\\d]{23,25}\\.[\\w-]{6}\\.[\\w-]{27,38}" },
  { name: "TELEGRAM_TOKEN", form: "\\d{8,10}:AA[\\w-]{33}" },
  { name: "SENDGRID_API_KEY", form: "SG\\.[\\w-]{22}\\.[\\w-]{43}" },
  { name: "MAILGUN_KEY", form: "key-[0-9a-f]{32}" },
  { name: "MAILCHIMP_KEY", form: "[0-9a-f]{32}-us\\d{1,2}" },
  { name: "TWILIO_KEY", form: "SK[0-9a-f]{32}" },
  { name: "STRIPE_KEY", form: "[sr]k_(?:live|test)_[A-Za-z0-9]{24,120}|whsec_[A-Za-z0-9+/]{32,64}" },
  { name: "SQUARE_TOKEN", form: "sq0(?:atp|csp)-[\\w-]{22,43}" },
  { name: "SHOPIFY_TOKEN", form: "shp(?:at|ca|pa|ss|tka)_[0-9a-fA-F]{32}" },
  { name: "LINEAR_API_KEY", form: "lin_api_[A-Za-z0-9]{40}" },
  { name: "NOTION_TOKEN", form: "ntn_[A-Za-z0-9]{40,50}|secret_[A-Za-z0-9]{43}" },
  { name: "FIGMA_TOKEN", form: "fig[dor]_[\\w-]{40,64}" },
  { name: "AIRTABLE_TOKEN", form: "pat[A-Za-z0-9]{14}\\.[0-9a-f]{64}" },
  { name: "POSTMAN_API_KEY", form: "PMAK-[0-9a-f]{24}-[0-9a-f]{34}" },
  { name: "GRAFANA_TOKEN", form: "glsa_[A-Za-z0-9]{32}_[0-9a-fA-F]{8}|glc_[A-Za-z0-9+/]{60,400}={0,2}" },
  { name: "NEWRELIC_KEY", form: "NRAK-[A-Z0-9]{27}" },
  { name: "SENTRY_TOKEN", form: "sntry[su]_[\\w+/=]{60,400}" },
  { name: "AGE_KEY", form: "AGE-SECRET-KEY-1[02-9AC-HJ-NP-Z]{58}" },
  // A JSON Web Token whose header and payload are JSON objects.
  { name: "JWT", form: "eyJ[\\w-]{10,400}\\.eyJ[\\w-]{10,6000}\\.[\\w-]{20,800}" },
];

/**
 * What every form has at least, cheap to look for: matching all forms against each long word of a text takes eight times
 * as long.
 */
export const FORM_MARKER =
  /(?<![A-Za-z0-9_])(?:gh[pousr]_|github_pat_|gl[a-z]{1,5}-|npm_|pypi-|rubygems_|dckr_|ATATT3|A[KSBC][IC]A|AIza|GOCSPX|ya29|do[oprt]_v1|dapi[0-9a-f]|hv[sbr]\.|sbp_|sb_secret_|pscale_|nf[pcoub]_|HRKU-|pul-|dp\.|tskey-|sk-(?:ant|or)-|gsk_|xai-|hf_|r8_|pplx-|lsv2_|xox|xapp-|SG\.|key-[0-9a-f]|SK[0-9a-f]{9}|[sr]k_(?:live|test)|whsec_|sq0|shp|lin_api_|ntn_|secret_|fig[dor]_|pat[A-Za-z0-9]{14}\.|PMAK-|gl(?:sa|c)_|NRAK-|sntry[su]_|AGE-SECRET|[MNO][A-Za-z\d]{23,25}\.)|[0-9a-f]-us\d|:AA|\.atlasv1|AccountKey=|T3BlbkFJ|\.eyJ|\.slack\.com\/|\/webhooks\//;
