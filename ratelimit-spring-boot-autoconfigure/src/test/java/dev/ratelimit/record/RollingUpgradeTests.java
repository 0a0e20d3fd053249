package dev.ratelimit.record;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.reflect.Constructor;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiPredicate;
import java.util.stream.Stream;

import dev.ratelimit.RateLimiter;
import dev.ratelimit.algorithm.Algorithms;
import dev.ratelimit.test.redis.RedisTest;
import dev.ratelimit.test.redis.TestRedis;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests instances of an earlier version and of this version with a shared Redis, as
 * during the upgrade of an application. No charge is lost or counted twice. The jar of
 * the earlier version was built once, from the commit in its name. A change of the state
 * format, as described in {@code docs/upgrading.md}, needs a new jar.
 */
@RedisTest
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RollingUpgradeTests {

	private static final Path EARLIER = Path.of("src/test/resources/dev/ratelimit/record/ratelimit-ae3e7b4d.jar");

	private static final int LIMIT = 20;

	private static final int LEASED_LIMIT = 1_000;

	private final List<AutoCloseable> opened = new ArrayList<>();

	private final Map<String, String> rules = new TreeMap<>();

	private BiPredicate<String, String> earlier = (rule, subject) -> false;

	private BiPredicate<String, String> current = (rule, subject) -> false;

	@BeforeAll
	void start() throws Exception {
		TestRedis redis = TestRedis.shared();
		Algorithms.ids()
			.stream()
			.filter((algorithm) -> !algorithm.equals("concurrency"))
			.forEach((algorithm) -> rule(algorithm, "limit", LIMIT + "/7d", "algorithm", algorithm));
		rule("several", "limits", LIMIT + "/7d,1000/30d");
		rule("with-burst", "limit", "10/7d", "burst", String.valueOf(LIMIT));
		Map<String, String> properties = new TreeMap<>(this.rules);
		rule("leased", "limit", LEASED_LIMIT + "/7d", "consistency", "leased");
		properties.putAll(this.rules);
		properties.put("ratelimit.redis.host", redis.host());
		properties.put("ratelimit.redis.port", String.valueOf(redis.port()));
		properties.put("ratelimit.deadline", "5s");
		properties.put("ratelimit.defaults.failure", "closed");
		this.earlier = open(new EarlierVersion(), properties);
		this.current = open(RollingUpgradeTests.class.getClassLoader(), properties);
	}

	@AfterAll
	void stop() throws Exception {
		for (AutoCloseable instance : this.opened) {
			instance.close();
		}
	}

	@Test
	void theyAreOfTwoVersions() throws ClassNotFoundException {
		Class<?> earlier = this.earlier.getClass().getClassLoader().loadClass(RateLimiter.class.getName());
		assertThat(earlier).isNotSameAs(RateLimiter.class);
		assertThat(earlier.getProtectionDomain().getCodeSource().getLocation().getPath())
			.endsWith(EARLIER.getFileName().toString());
	}

	@Test
	void bothCountInTheSameBuckets() {
		Map<String, Integer> allowed = new TreeMap<>();
		this.rules.keySet()
			.stream()
			.map((property) -> property.split("\\.")[2])
			.filter((rule) -> !rule.equals("leased"))
			.distinct()
			.forEach((rule) -> allowed.put(rule, inTurn(rule, 2 * LIMIT)));
		assertThat(allowed).hasSizeGreaterThan(6).allSatisfy((rule, count) -> assertThat(count).isEqualTo(LIMIT));
	}

	@Test
	void oneContinuesWhereTheOtherHasStopped() {
		for (int i = 0; i < 15; i++) {
			assertThat(this.earlier.test("token-bucket", "alice")).isTrue();
			assertThat(this.current.test("token-bucket", "bob")).isTrue();
		}
		assertThat(Stream.generate(() -> this.current.test("token-bucket", "alice")).limit(10))
			.filteredOn((allowed) -> allowed)
			.hasSize(LIMIT - 15);
		assertThat(Stream.generate(() -> this.earlier.test("token-bucket", "bob")).limit(10))
			.filteredOn((allowed) -> allowed)
			.hasSize(LIMIT - 15);
	}

	@Test
	void leasesOfBothStayWithinTheLimit() {
		assertThat(inTurn("leased", 2 * LEASED_LIMIT)).isBetween(LEASED_LIMIT / 2, LEASED_LIMIT);
	}

	private int inTurn(String rule, int times) {
		int allowed = 0;
		for (int i = 0; i < times; i++) {
			BiPredicate<String, String> instance = (i % 2 == 0) ? this.earlier : this.current;
			allowed += (instance.test(rule, "alice")) ? 1 : 0;
		}
		return allowed;
	}

	private void rule(String id, String... properties) {
		this.rules.put("ratelimit.rules." + id + ".programmatic", "true");
		for (int i = 0; i < properties.length; i += 2) {
			this.rules.put("ratelimit.rules." + id + "." + properties[i], properties[i + 1]);
		}
	}

	@SuppressWarnings("unchecked")
	private BiPredicate<String, String> open(ClassLoader classes, Map<String, String> properties) throws Exception {
		Thread thread = Thread.currentThread();
		ClassLoader before = thread.getContextClassLoader();
		thread.setContextClassLoader(classes);
		try {
			Constructor<?> constructor = classes.loadClass(Instance.class.getName()).getDeclaredConstructor(Map.class);
			constructor.setAccessible(true);
			Object instance = constructor.newInstance(properties);
			this.opened.add((AutoCloseable) instance);
			return (BiPredicate<String, String>) instance;
		}
		finally {
			thread.setContextClassLoader(before);
		}
	}

	/**
	 * An instance that is used through types of the JDK. It is compiled with this
	 * version, and linked with either version.
	 */
	public static final class Instance implements BiPredicate<String, String>, AutoCloseable {

		private final ConfigurableApplicationContext context;

		private final RateLimiter limiter;

		/**
		 * Start the instance.
		 * @param properties the properties
		 */
		Instance(Map<String, String> properties) {
			SpringApplication application = new SpringApplication(Application.class);
			application.setWebApplicationType(WebApplicationType.NONE);
			this.context = application.run(Stream
				.concat(Stream.of("spring.application.name=upgraded", "spring.main.banner-mode=off"),
						properties.entrySet().stream().map((property) -> property.getKey() + "=" + property.getValue()))
				.map((property) -> "--" + property)
				.toArray(String[]::new));
			this.limiter = this.context.getBean(RateLimiter.class);
		}

		@Override
		public boolean test(String rule, String subject) {
			return this.limiter.acquireBlocking(rule, subject).allowed();
		}

		@Override
		public void close() {
			this.context.close();
		}

	}

	/**
	 * The application of both versions.
	 */
	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	public static class Application {

	}

	/**
	 * Loads the jar of the earlier version with all dependencies, without the classes of
	 * this version.
	 */
	private static final class EarlierVersion extends URLClassLoader {

		EarlierVersion() {
			super(classPath(), ClassLoader.getPlatformClassLoader());
		}

		private static URL[] classPath() {
			return Stream
				.concat(Stream.of(EARLIER),
						Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
							.map(Path::of)
							.filter((entry) -> !Files.isDirectory(entry)))
				.map(EarlierVersion::url)
				.toArray(URL[]::new);
		}

		private static URL url(Path path) {
			try {
				return path.toUri().toURL();
			}
			catch (MalformedURLException ex) {
				throw new UncheckedIOException(ex);
			}
		}

		// Only the nested classes of this test are missing in the jar.
		@Override
		protected Class<?> findClass(String name) throws ClassNotFoundException {
			if (!name.startsWith(RollingUpgradeTests.class.getName())) {
				return super.findClass(name);
			}
			String file = name.substring(name.lastIndexOf('.') + 1) + ".class";
			try (InputStream content = RollingUpgradeTests.class.getResourceAsStream(file)) {
				byte[] bytes = content.readAllBytes();
				return defineClass(name, bytes, 0, bytes.length);
			}
			catch (IOException ex) {
				throw new ClassNotFoundException(name, ex);
			}
		}

	}

}
