import { apiKeyPlaceholder } from './openapi-examples.ts';

/** Readers replace it with the id of their website. */
export const websitePlaceholder = 'WEBSITE_ID';

/**
 * A program for each language that does the work of a month: it uploads `links.csv`, waits for the report, disavows the
 * undecided domains with a high risk, and saves the disavow file as `disavow.txt`.
 */
export const monthPrograms = (origin: string) => ({
  curl: `set -e
API=${origin}/api/v1
KEY='X-API-Key: ${apiKeyPlaceholder}'
SITE=${websitePlaceholder}

# 1. Upload the export. The same Idempotency-Key never starts a second analysis.
ANALYSIS=$(curl -sf "$API/websites/$SITE/analyses" -H "$KEY" \\
  -H "Idempotency-Key: links-$SITE-$(date +%Y-%m)" -F file=@links.csv | jq -r .id)

# 2. Wait for the report.
while STATE=$(curl -sf "$API/analyses/$ANALYSIS" -H "$KEY"); do
  [ "$(echo "$STATE" | jq -r .status)" = processing ] || break
  sleep 2
done
REPORT=$(echo "$STATE" | jq -r .reportId)

# 3. Decide about the first 100 domains with a high risk.
for RISK in 'very high' high; do
  curl -sf -G "$API/reports/$REPORT/domains" -H "$KEY" -d limit=100 -d decision=undecided \\
    --data-urlencode "riskLevel=$RISK" | jq '{decisions: [.data[] | {domain, decision: "disavow"}]}' > decisions.json
  if [ "$(jq '.decisions | length' decisions.json)" -gt 0 ]; then
    curl -sf -X PUT "$API/websites/$SITE/decisions" -H "$KEY" \\
      -H 'Content-Type: application/json' -d @decisions.json
  fi
done

# 4. Save the file for Google's disavow tool.
curl -sf "$API/websites/$SITE/disavow.txt" -H "$KEY" -o disavow.txt`,

  typescript: `import { openAsBlob } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';

const site = '${websitePlaceholder}';

async function call(path: string, options: RequestInit = {}): Promise<Response> {
  const headers = { 'X-API-Key': '${apiKeyPlaceholder}', ...options.headers };
  const response = await fetch(\`${origin}/api/v1\${path}\`, { ...options, headers });
  if (!response.ok) throw new Error((await response.json()).detail);
  return response;
}

// 1. Upload the export. The same Idempotency-Key never starts a second analysis.
const form = new FormData();
form.append('file', await openAsBlob('links.csv'), 'links.csv');
const month = new Date().toISOString().slice(0, 7);
const started = await call(\`/websites/\${site}/analyses\`, {
  method: 'POST',
  headers: { 'Idempotency-Key': \`links-\${site}-\${month}\` },
  body: form,
});
const { id } = await started.json();

// 2. Wait for the report.
let analysis = { status: 'processing', message: '', reportId: 0 };
while (analysis.status === 'processing') {
  await setTimeout(2000);
  analysis = await (await call(\`/analyses/\${id}\`)).json();
}
if (analysis.status !== 'completed') throw new Error(analysis.message);

// 3. Decide about the domains with a high risk.
for (const riskLevel of ['very high', 'high']) {
  for (let cursor = ''; ; ) {
    const query = new URLSearchParams({ riskLevel, decision: 'undecided', limit: '100', cursor });
    const page = await (await call(\`/reports/\${analysis.reportId}/domains?\${query}\`)).json();
    const decisions = page.data.map(({ domain }: { domain: string }) => ({ domain, decision: 'disavow' }));
    if (decisions.length > 0) {
      await call(\`/websites/\${site}/decisions\`, {
        method: 'PUT',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ decisions }),
      });
    }
    if (page.nextCursor === null) break;
    cursor = page.nextCursor;
  }
}

// 4. Save the file for Google's disavow tool.
await writeFile('disavow.txt', await (await call(\`/websites/\${site}/disavow.txt\`)).text());`,

  python: `import json
import time
import uuid
from pathlib import Path
from urllib.parse import urlencode
from urllib.request import Request, urlopen

SITE = "${websitePlaceholder}"

def call(path, method="GET", data=None, **headers):
    request = Request("${origin}/api/v1" + path, method=method, data=data, headers=headers)
    request.add_header("X-API-Key", "${apiKeyPlaceholder}")
    with urlopen(request) as response:
        return response.read()

# 1. Upload the export. The same Idempotency-Key never starts a second analysis.
boundary = uuid.uuid4().hex
part = f'--{boundary}\\r\\nContent-Disposition: form-data; name="file"; filename="links.csv"\\r\\n\\r\\n'
form = part.encode() + Path("links.csv").read_bytes() + f"\\r\\n--{boundary}--\\r\\n".encode()
started = call(f"/websites/{SITE}/analyses", "POST", form, **{
    "Content-Type": f"multipart/form-data; boundary={boundary}",
    "Idempotency-Key": f"links-{SITE}-" + time.strftime("%Y-%m"),
})

# 2. Wait for the report.
while True:
    analysis = json.loads(call("/analyses/" + json.loads(started)["id"]))
    if analysis["status"] != "processing":
        break
    time.sleep(2)

# 3. Decide about the domains with a high risk.
for risk in ("very high", "high"):
    query = {"riskLevel": risk, "decision": "undecided", "limit": 100}
    while True:
        page = json.loads(call(f"/reports/{analysis['reportId']}/domains?" + urlencode(query)))
        decisions = [{"domain": row["domain"], "decision": "disavow"} for row in page["data"]]
        if decisions:
            body = json.dumps({"decisions": decisions}).encode()
            call(f"/websites/{SITE}/decisions", "PUT", body, **{"Content-Type": "application/json"})
        if page["nextCursor"] is None:
            break
        query["cursor"] = page["nextCursor"]

# 4. Save the file for Google's disavow tool.
Path("disavow.txt").write_bytes(call(f"/websites/{SITE}/disavow.txt"))`,
});
