package dev.ratelimit.http;

import dev.ratelimit.test.redis.WithRedis;
import org.junit.jupiter.api.Tag;

import org.springframework.test.context.TestPropertySource;

/**
 * Tests that the responses are the same with leases, which are used if possible.
 */
@WithRedis
@TestPropertySource(properties = { "spring.main.web-application-type=servlet",
		"ratelimit.redis.key-prefix=rl:${random.uuid}", "ratelimit.defaults.consistency=leased" })
@Tag("long")
@Tag("nightly")
class ServletLeasesTests extends HttpContract implements ServletLeaseContract {

}
