package dev.ratelimit.fault;

import java.util.concurrent.atomic.AtomicInteger;

import dev.ratelimit.StoreStateEvent;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.event.EventListener;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * Minimal handlers under limits, on both stacks.
 */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration(excludeName = { FaultApplication.SECURITY + "SecurityAutoConfiguration",
		FaultApplication.SECURITY + "UserDetailsServiceAutoConfiguration",
		FaultApplication.SECURITY + "ReactiveUserDetailsServiceAutoConfiguration",
		FaultApplication.SECURITY + "actuate.web.reactive.ReactiveManagementWebSecurityAutoConfiguration",
		FaultApplication.SECURITY + "actuate.web.servlet.ManagementWebSecurityAutoConfiguration",
		FaultApplication.SECURITY + "web.reactive.ReactiveWebSecurityAutoConfiguration",
		FaultApplication.SECURITY + "web.servlet.SecurityFilterAutoConfiguration",
		FaultApplication.SECURITY + "web.servlet.ServletWebSecurityAutoConfiguration" })
@Import({ FaultApplication.Targets.class, FaultApplication.Outages.class })
class FaultApplication {

	static final String SECURITY = "org.springframework.boot.security.autoconfigure.";

	@RestController
	static class Targets {

		@GetMapping({ "/open", "/closed", "/local", "/bounded", "/exhausted", "/free", "/hello", "/login" })
		String get() {
			return "ok";
		}

	}

	/**
	 * Counts how often the store was considered unavailable.
	 */
	static class Outages {

		private final AtomicInteger count = new AtomicInteger();

		@EventListener
		void changed(StoreStateEvent event) {
			this.count.addAndGet((event.available()) ? 0 : 1);
		}

		int count() {
			return this.count.get();
		}

	}

}
