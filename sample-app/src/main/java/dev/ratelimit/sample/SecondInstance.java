package dev.ratelimit.sample;

import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.boot.ApplicationArguments;
import org.springframework.boot.Banner;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Profile;
import org.springframework.core.env.Environment;
import org.springframework.stereotype.Component;

/**
 * Starts another instance of the application with the same arguments, on the next port.
 */
@Component
@Profile("(fleet | regions) & !second")
class SecondInstance implements ApplicationListener<ApplicationReadyEvent>, DisposableBean {

	private static final String PORT = "--server.port=";

	private final ApplicationArguments arguments;

	private @Nullable ConfigurableApplicationContext second;

	SecondInstance(ApplicationArguments arguments) {
		this.arguments = arguments;
	}

	@Override
	public void onApplicationEvent(ApplicationReadyEvent event) {
		Stream<String> same = Stream.of(this.arguments.getSourceArgs())
			.filter((argument) -> !argument.startsWith(PORT));
		String port = PORT + next(event.getApplicationContext().getEnvironment());
		String[] active = event.getApplicationContext().getEnvironment().getActiveProfiles();
		this.second = new SpringApplicationBuilder(SampleApplication.class).profiles(active)
			.profiles("second")
			.bannerMode(Banner.Mode.OFF)
			.run(Stream.concat(same, Stream.of(port)).toArray(String[]::new));
	}

	private static int next(Environment environment) {
		boolean any = environment.getProperty("server.port", "").equals("0");
		return (any) ? 0 : port(environment) + 1;
	}

	private static int port(Environment environment) {
		return environment.getRequiredProperty("local.server.port", Integer.class);
	}

	int port() {
		if (this.second == null) {
			throw new IllegalStateException("not started yet");
		}
		return port(this.second.getEnvironment());
	}

	@Override
	public void destroy() {
		if (this.second != null) {
			this.second.close();
		}
	}

}
