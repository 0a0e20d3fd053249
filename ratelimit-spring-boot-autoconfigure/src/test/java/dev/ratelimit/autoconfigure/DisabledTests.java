package dev.ratelimit.autoconfigure;

import java.util.Arrays;
import java.util.List;

import dev.ratelimit.test.redis.RedisTest;
import dev.ratelimit.test.redis.WithRedis;
import io.micrometer.core.instrument.MeterRegistry;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.util.ClassUtils;
import org.springframework.web.server.WebFilter;

import static org.assertj.core.api.Assertions.assertThat;

@RedisTest
class DisabledTests {

	private static final String[] PROPERTIES = { "ratelimit.enabled=false", "ratelimit.rules.all.limit=100/min",
			"ratelimit.rules.all.paths=/**", "management.endpoints.web.exposure.include=*" };

	@Test
	void nothingOfOursIsLeftOutsideTheWeb() {
		EnableAuto.plain().withPropertyValues(PROPERTIES).run((context) -> assertThat(ours(context)).isEmpty());
	}

	@Test
	void nothingOfOursIsLeftOnServlet() {
		EnableAuto.servlet().withPropertyValues(PROPERTIES).run((context) -> {
			assertThat(ours(context)).isEmpty();
			assertThat(context.getBeansOfType(FilterRegistrationBean.class).keySet())
				.noneMatch((name) -> name.startsWith("rateLimit"));
			assertThat(context).hasSingleBean(MetricsAutoConfiguration.class);
			assertThat(context.getBean(MeterRegistry.class).getMeters())
				.noneMatch((meter) -> meter.getId().getName().startsWith("ratelimit"));
		});
	}

	@Test
	void nothingOfOursIsLeftOnWebFlux() {
		EnableAuto.reactive().withPropertyValues(PROPERTIES).run((context) -> {
			assertThat(ours(context)).isEmpty();
			assertThat(context.getBeansOfType(WebFilter.class).keySet())
				.noneMatch((name) -> name.startsWith("rateLimit"));
		});
	}

	@Test
	void connectionOfTheApplicationStays() {
		EnableAuto.servlet()
			.withUserConfiguration(WithRedis.Config.class)
			.withPropertyValues(PROPERTIES)
			.run((context) -> {
				assertThat(context).hasSingleBean(RedisConnectionFactory.class);
				assertThat(ours(context)).isEmpty();
			});
	}

	// Return the beans of this library, except auto-configuration classes, which have no
	// state.
	private static List<String> ours(ConfigurableApplicationContext context) {
		ConfigurableListableBeanFactory beans = context.getBeanFactory();
		return Arrays.stream(beans.getBeanDefinitionNames()).filter((name) -> {
			Class<?> type = beans.getType(name);
			return type != null && ClassUtils.getPackageName(type).startsWith("dev.ratelimit")
					&& !type.getSimpleName().endsWith("Configuration") && !isOfTheTest(type);
		}).toList();
	}

	private static boolean isOfTheTest(Class<?> type) {
		return ClassUtils.getPackageName(type).startsWith("dev.ratelimit.test") || type == EnableAuto.class;
	}

}
