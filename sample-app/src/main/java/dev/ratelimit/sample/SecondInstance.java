package dev.ratelimit.sample;

import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Profile;
import org.springframework.core.env.Environment;
import org.springframework.stereotype.Component;

/**
 * Starts another instance of the application beside the first one, on the next port.
 */
@Component
@Profile("fleet & !second")
class SecondInstance implements ApplicationListener<ApplicationReadyEvent>, DisposableBean {

	private @Nullable ConfigurableApplicationContext second;

	@Override
	public void onApplicationEvent(ApplicationReadyEvent event) {
		Environment environment = event.getApplicationContext().getEnvironment();
		int port = environment.getRequiredProperty("local.server.port", Integer.class);
		String type = environment.getProperty("spring.main.web-application-type", "servlet");
		this.second = new SpringApplicationBuilder(SampleApplication.class).profiles("fleet", "second")
			.run("--server.port=" + (port + 1), "--spring.main.web-application-type=" + type,
					"--spring.main.banner-mode=off");
	}

	@Override
	public void destroy() {
		if (this.second != null) {
			this.second.close();
		}
	}

}
