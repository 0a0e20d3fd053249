package dev.ratelimit.actuate;

import java.util.ArrayList;
import java.util.List;

import dev.ratelimit.SubjectBannedEvent;
import dev.ratelimit.live.MemoryRuleSource;
import dev.ratelimit.test.PlainPasswords;
import reactor.core.publisher.Mono;

import org.springframework.boot.actuate.audit.AuditEvent;
import org.springframework.boot.actuate.audit.listener.AbstractAuditListener;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.reactor.netty.NettyReactiveWebServerFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.event.EventListener;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.config.annotation.web.reactive.EnableWebFluxSecurity;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.core.userdetails.ReactiveUserDetailsService;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.server.SecurityWebFilterChain;

/**
 * An application with live rules: alice may write, oscar may operate, sam and ida each
 * belong to a team, and all other users have a role with a similar name.
 */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
@Import({ LiveEndpointApplication.Servlet.class, LiveEndpointApplication.Reactive.class })
public class LiveEndpointApplication {

	@Bean
	MemoryRuleSource source() {
		return new MemoryRuleSource();
	}

	@Bean
	Audit audit() {
		return new Audit();
	}

	static UserDetails user(String name) {
		String authority = switch (name) {
			case "alice" -> "RATELIMIT_WRITE";
			case "oscar" -> "RATELIMIT_OPERATE";
			case "sam" -> "TEAM_SEARCH";
			case "ida" -> "TEAM_IDENTITY";
			default -> "ROLE_RATELIMIT_WRITE";
		};
		return User.withUsername(name).password("{noop}secret").authorities(authority).build();
	}

	public static final class Audit extends AbstractAuditListener {

		public final List<AuditEvent> events = new ArrayList<>();

		/** Whether the audit listener throws exceptions. */
		volatile boolean failing;

		@Override
		protected void onAuditEvent(AuditEvent event) {
			if (this.failing) {
				throw new IllegalArgumentException("on purpose");
			}
			if (event.getType().startsWith("RATELIMIT")) {
				this.events.add(event);
			}
		}

		@EventListener
		void onBan(SubjectBannedEvent event) {
			if (this.failing) {
				throw new IllegalStateException("on purpose: " + event.subject());
			}
		}

	}

	@Configuration(proxyBeanMethods = false)
	@Import(PlainPasswords.class)
	@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
	public static class Servlet {

		@Bean
		UserDetailsService users() {
			return LiveEndpointApplication::user;
		}

		@Bean
		SecurityFilterChain security(HttpSecurity http) throws Exception {
			http.csrf(AbstractHttpConfigurer::disable).httpBasic(Customizer.withDefaults());
			return http.authorizeHttpRequests((requests) -> requests.anyRequest().permitAll()).build();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@Import(PlainPasswords.class)
	@EnableWebFluxSecurity
	@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
	static class Reactive {

		@Bean
		NettyReactiveWebServerFactory netty() {
			return new NettyReactiveWebServerFactory();
		}

		@Bean
		ReactiveUserDetailsService users() {
			return (name) -> Mono.just(user(name));
		}

		@Bean
		SecurityWebFilterChain security(ServerHttpSecurity http) {
			http.csrf(ServerHttpSecurity.CsrfSpec::disable).httpBasic(Customizer.withDefaults());
			return http.authorizeExchange((requests) -> requests.anyExchange().permitAll()).build();
		}

	}

}
