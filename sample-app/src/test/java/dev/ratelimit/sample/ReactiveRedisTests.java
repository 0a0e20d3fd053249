package dev.ratelimit.sample;

import dev.ratelimit.test.redis.WithRedis;

import org.springframework.test.context.TestPropertySource;

@WithRedis
@TestPropertySource(
		properties = { "spring.main.web-application-type=reactive", "ratelimit.redis.key-prefix=rl:${random.uuid}" })
class ReactiveRedisTests extends StartedSample {

}
