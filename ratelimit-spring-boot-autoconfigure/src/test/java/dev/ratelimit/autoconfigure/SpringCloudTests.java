package dev.ratelimit.autoconfigure;

import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;

import dev.ratelimit.engine.Editions;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.io.DefaultResourceLoader;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests the refresh of properties with the real {@code spring-cloud-context}. Maven
 * copies its archive into {@code target}, because its auto-configurations would otherwise
 * apply to every test.
 */
@ExtendWith(OutputCaptureExtension.class)
class SpringCloudTests {

	private static final Path ARCHIVE = Path.of("target", "cloud", "spring-cloud-context.jar");

	private static final String REFRESHER = "org.springframework.cloud.context.refresh.ContextRefresher";

	@Test
	void aRefreshChangesRules(@TempDir Path directory, CapturedOutput output) throws Exception {
		Assumptions.assumeTrue(Files.exists(ARCHIVE), () -> ARCHIVE + " is not there; Maven copies it");
		write(directory, "100/min", "50ms");
		Thread thread = Thread.currentThread();
		ClassLoader before = thread.getContextClassLoader();
		try (CloudClassLoader classes = new CloudClassLoader(before)) {
			thread.setContextClassLoader(classes);
			try (ConfigurableApplicationContext context = start(classes, directory)) {
				assertThat(limit(context)).isEqualTo("100/min");
				write(directory, "200/min", "60ms");
				assertThat(refresh(context, classes)).contains("ratelimit.rules.search.limit");
				assertThat(limit(context)).isEqualTo("200/min");
				assertThat(output).contains("'ratelimit.deadline' changed; restart to apply it")
					.contains("'ratelimit.api' changed; restart to apply it");
				write(directory, "never", "60ms");
				refresh(context, classes);
				assertThat(limit(context)).isEqualTo("200/min");
				assertThat(output).contains("The changed properties were rejected");
				write(directory, "300/min", "60ms");
				refresh(context, classes);
				assertThat(limit(context)).isEqualTo("300/min");
			}
		}
		finally {
			thread.setContextClassLoader(before);
		}
	}

	private static void write(Path directory, String limit, String deadline) throws Exception {
		Files.writeString(directory.resolve("application.yml"), """
				ratelimit:
				  deadline: %s
				  api.path: /deadline/%s
				  rules.search: { programmatic: true, limit: %s }
				""".formatted(deadline, deadline, limit));
	}

	private static ConfigurableApplicationContext start(ClassLoader classes, Path directory) {
		SpringApplication application = new SpringApplication(new DefaultResourceLoader(classes), Application.class);
		application.setWebApplicationType(WebApplicationType.NONE);
		return application.run("--spring.config.location=" + directory.toUri(), "--spring.main.banner-mode=off");
	}

	private static String refresh(ConfigurableApplicationContext context, ClassLoader classes) throws Exception {
		Class<?> type = classes.loadClass(REFRESHER);
		return String.valueOf(type.getMethod("refresh").invoke(context.getBean(type)));
	}

	private static String limit(ConfigurableApplicationContext context) {
		return context.getBean(Editions.class).current().rules().rules().get("search").limits().get(0).toString();
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

	}

	/**
	 * Loads the archive before the class path, which contains a replacement of its event.
	 */
	private static final class CloudClassLoader extends URLClassLoader {

		CloudClassLoader(ClassLoader parent) throws Exception {
			super(new URL[] { ARCHIVE.toUri().toURL() }, parent);
		}

		@Override
		protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
			synchronized (getClassLoadingLock(name)) {
				if (!name.startsWith("org.springframework.cloud.")) {
					return super.loadClass(name, resolve);
				}
				Class<?> loaded = findLoadedClass(name);
				return (loaded != null) ? loaded : findClass(name);
			}
		}

	}

}
