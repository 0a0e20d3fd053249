"""Uses up a limit with urllib3, asks once more, and says how often and how long it asked."""
import json
import os
import sys
import time

import urllib3

url = sys.argv[1] + "/clients/urllib3"
headers = {"X-Key": "urllib3-%d" % os.getpid()}
first = urllib3.PoolManager(retries=False).request("GET", url, headers=headers)
start = time.monotonic()
# By default, only what Retry-After says makes it ask again after a 429.
response = urllib3.PoolManager(retries=urllib3.Retry(3)).request("GET", url, headers=headers)
print(json.dumps({"name": "urllib3", "first": first.status, "status": response.status,
                  "requests": 1 + len(response.retries.history), "millis": 1000 * (time.monotonic() - start)}))
