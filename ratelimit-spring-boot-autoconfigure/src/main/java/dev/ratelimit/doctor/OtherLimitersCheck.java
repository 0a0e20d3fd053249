package dev.ratelimit.doctor;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

import dev.ratelimit.base.Check;
import dev.ratelimit.base.Finding;
import dev.ratelimit.base.FindingCode;

import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.util.ClassUtils;

/**
 * Internal: finds other rate limiters that are also configured. The search runs once.
 */
public final class OtherLimitersCheck implements Check {

	private static final Other BUCKET4J = new Other("bucket4j-spring-boot-starter",
			"com.giffing.bucket4j.spring.boot.starter.context.properties.Bucket4JBootProperties", "bucket4j.filters",
			"");

	private static final Other GATEWAY = new Other("Spring Cloud Gateway's RequestRateLimiter",
			"org.springframework.cloud.gateway.filter.factory.RequestRateLimiterGatewayFilterFactory",
			"spring.cloud.gateway", "RequestRateLimiter");

	private final List<Finding> findings;

	public OtherLimitersCheck(ConfigurableEnvironment environment, Predicate<String> isPresent) {
		this.findings = Stream.of(BUCKET4J, GATEWAY)
			.filter((other) -> isPresent.test(other.type))
			.flatMap((other) -> property(other, environment).stream().map(other::finding))
			.toList();
	}

	static boolean isOnClassPath(String type) {
		return ClassUtils.isPresent(type, OtherLimitersCheck.class.getClassLoader());
	}

	@Override
	public List<Finding> findings() {
		return this.findings;
	}

	private static Optional<String> property(Other other, ConfigurableEnvironment environment) {
		return environment.getPropertySources()
			.stream()
			.flatMap((source) -> (source instanceof EnumerablePropertySource<?> enumerable) ? names(other, enumerable)
					: Stream.empty())
			.sorted()
			.findFirst();
	}

	private static Stream<String> names(Other other, EnumerablePropertySource<?> source) {
		return Arrays.stream(source.getPropertyNames())
			.filter((name) -> name.startsWith(other.prefix)
					&& String.valueOf(source.getProperty(name)).startsWith(other.value));
	}

	/**
	 * Another limiter.
	 *
	 * @param name the name of the limiter
	 * @param type a class of the limiter
	 * @param prefix the prefix of its properties
	 * @param value the prefix of the value of a property that enables it
	 */
	private record Other(String name, String type, String prefix, String value) {

		Finding finding(String property) {
			return new Finding(FindingCode.TWO_LIMITERS, property,
					this.name + " is also configured: requests that both limiters match are counted twice.");
		}

	}

}
