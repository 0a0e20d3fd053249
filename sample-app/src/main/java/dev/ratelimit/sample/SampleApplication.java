package dev.ratelimit.sample;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/**
 * The sample: servlet by default, reactive with
 * {@code --spring.main.web-application-type=reactive}; in memory by default, on Redis
 * with {@code --spring.profiles.active=redis}; two instances with rules that change at
 * run time with {@code --spring.profiles.active=fleet}; bans, the load guard, and limits
 * of connections with {@code --spring.profiles.active=protect}.
 */
@SpringBootApplication
public class SampleApplication {

	public static void main(String[] args) {
		SpringApplication.run(SampleApplication.class, args);
	}

}
