// Calls a rate limit service with Envoy's own .proto files, as often as it is told, and prints each response as a line of JSON.
import { credentials, loadPackageDefinition } from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';

const [directory, address, requests] = process.argv.slice(2);
const definition = loadSync('envoy/service/ratelimit/v3/rls.proto', {
  includeDirs: [directory], keepCase: true, enums: String, longs: String, defaults: true,
});
const { RateLimitService } = loadPackageDefinition(definition).envoy.service.ratelimit.v3;
const service = new RateLimitService(address, credentials.createInsecure());

function call(request) {
  return new Promise((resolve) => {
    service.ShouldRateLimit(request, { deadline: Date.now() + 20_000 }, (error, response) => resolve(
      (error === null) ? response : { status: error.code, details: error.details }));
  });
}

for (const request of JSON.parse(requests)) {
  console.log(JSON.stringify(await call(request)));
}
service.close();
