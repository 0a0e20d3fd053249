package dev.ratelimit.test.redis;

import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.redis.core.StringRedisTemplate;

import static org.assertj.core.api.Assertions.assertThat;

@RedisTest
@WithRedis
@SpringBootTest(classes = WithRedisTests.Application.class, webEnvironment = SpringBootTest.WebEnvironment.NONE,
		properties = "spring.data.redis.port=1")
class WithRedisTests {

	@Autowired
	private StringRedisTemplate template;

	@Test
	void springBootTestIsConnected(TestRedis redis) {
		this.template.opsForValue().set("key", "value");
		assertThat(redis.command("GET", "key")).isEqualTo("value");
	}

	@Test
	void contextRunnerIsConnected(TestRedis redis) {
		redis.command("SET", "key", "value");
		new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(DataRedisAutoConfiguration.class))
			.withUserConfiguration(WithRedis.Config.class)
			.run((context) -> assertThat(context.getBean(StringRedisTemplate.class).opsForValue().get("key"))
				.isEqualTo("value"));
		assertThat(redis.command("PING")).isEqualTo("PONG");
	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration(DataRedisAutoConfiguration.class)
	static class Application {

	}

}
