package dev.ratelimit.autoconfigure;

import java.util.Map;

import dev.ratelimit.ban.BansProperties;
import dev.ratelimit.test.PropertyTypes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.properties.bind.UnboundConfigurationPropertiesException;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.support.GenericApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

class PropertyGroupsTests {

	@ParameterizedTest
	@CsvSource({ "ratelimit.bans.maxx, false", "ratelimit.ban.max, false", "ratelimit.wait.waiting, false",
			"ratelimit.live.etcd.endpoint, false", "ratelimit.deadlin, false", "ratelimit.bans.maxx, true",
			"ratelimit.events.allow, true", "ratelimit.defaults.mod, true" })
	void aPropertyThatNoGroupKnowsPreventsTheStart(String property, boolean lazy) {
		runner(lazy).withPropertyValues(property + "=1")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOfSatisfying(UnboundConfigurationPropertiesException.class,
						(ex) -> assertThat(ex.getUnboundProperties()).singleElement()
							.satisfies((unknown) -> assertThat(unknown.getName()).hasToString(property))));
	}

	@Test
	void aGroupIsBoundBesideTheOtherProperties() {
		runner(false).withPropertyValues("ratelimit.bans.max=7", "ratelimit.deadline=70ms").run((context) -> {
			assertThat(context.getBean(BansProperties.class).max()).isEqualTo(7);
			assertThat(context.getBean(RateLimitProperties.class).deadline()).hasMillis(70);
		});
	}

	@Test
	void allGroupsAreListed() {
		Map<String, Class<?>> types = PropertyTypes.all();
		types.remove("ratelimit");
		assertThat(PropertyGroups.load(null).types()).hasSize(types.size())
			.allSatisfy((prefix, type) -> assertThat(types).containsEntry(prefix.toString(), type));
	}

	// A test slice excludes such auto-configurations.
	@Test
	void theGroupOfACapabilityThatIsLeftOutIsNotUnknown() {
		new WebApplicationContextRunner()
			.withConfiguration(
					AutoConfigurations.of(RateLimitTimeAutoConfiguration.class, RateLimitAutoConfiguration.class))
			.withPropertyValues("ratelimit.bans.max=7", "ratelimit.live.anonymous-writes=true")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(BansProperties.class));
	}

	private static WebApplicationContextRunner runner(boolean lazy) {
		// With Spring Cloud, all groups are bound, to compare them after a refresh.
		return EnableAuto.fewer()
			.withClassLoader(new FilteredClassLoader("org.springframework.cloud"))
			.withInitializer((context) -> {
				if (lazy && context instanceof GenericApplicationContext) {
					context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor());
				}
			});
	}

}
