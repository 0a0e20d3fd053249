package dev.ratelimit.sample;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/**
 * The sample. By default, it is a servlet application with limits in memory. With
 * {@code --spring.main.web-application-type=reactive}, it is a reactive application. The
 * profile {@code redis} counts on Redis, {@code fleet} starts two instances with rules
 * that change at run time, and {@code protect} adds bans, the load guard, and limits of
 * connections. A profile is activated with {@code --spring.profiles.active}.
 */
@SpringBootApplication
public class SampleApplication {

	public static void main(String[] args) {
		SpringApplication.run(SampleApplication.class, args);
	}

}
