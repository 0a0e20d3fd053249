package dev.ratelimit.autoconfigure;

import java.util.Collection;
import java.util.Optional;

import dev.ratelimit.PlanResolver;
import dev.ratelimit.RequestView;
import dev.ratelimit.autoconfigure.RateLimitProperties.PlanSource;
import dev.ratelimit.base.Authorities;
import dev.ratelimit.base.Claims;
import dev.ratelimit.base.PrincipalAuthorities;
import dev.ratelimit.base.PrincipalClaims;
import dev.ratelimit.rule.InvalidRuleException;
import org.jspecify.annotations.Nullable;

/**
 * Creates the plan resolver that {@code ratelimit.plan} configures.
 */
final class PlanSources {

	private static final String PROPERTY = "ratelimit.plan";

	private static final String FORMS = "Use authority:PLAN_, claim:plan, or header:X-Plan.";

	private static final @Nullable ClassLoader CLASSES = PlanSources.class.getClassLoader();

	private PlanSources() {
	}

	static PlanResolver resolver(PlanSource source) {
		int colon = source.from().indexOf(':');
		String argument = source.from().substring(colon + 1).trim();
		if (colon < 0 || argument.isEmpty()) {
			throw new InvalidRuleException(PROPERTY, source.from(), "it is not a plan source", FORMS);
		}
		return switch (source.from().substring(0, colon)) {
			case "authority" -> authority(argument, source);
			case "claim" -> claim(argument, source);
			case "header" -> header(argument, source);
			default -> throw new InvalidRuleException(PROPERTY, source.from(), "it is not a plan source", FORMS);
		};
	}

	private static PlanResolver header(String name, PlanSource source) {
		if (!source.trusted()) {
			throw new InvalidRuleException(PROPERTY, source.from(),
					"clients control this header and could choose their plan",
					"If a trusted proxy always sets the header, set 'trusted: true' in addition to 'from: "
							+ source.from() + "'.");
		}
		return new HeaderPlan(name);
	}

	private static PlanResolver authority(String prefix, PlanSource source) {
		Authorities authorities = PrincipalAuthorities.of(CLASSES)
			.orElseThrow(() -> absent(source, "spring-boot-starter-security"));
		return (request) -> first(authorities.of(request), prefix);
	}

	private static Optional<String> first(Collection<String> authorities, String prefix) {
		for (String authority : authorities) {
			if (authority.startsWith(prefix)) {
				return Optional.of(authority.substring(prefix.length()));
			}
		}
		return Optional.empty();
	}

	private static PlanResolver claim(String name, PlanSource source) {
		Claims claims = PrincipalClaims.of(CLASSES)
			.orElseThrow(() -> absent(source, "spring-boot-starter-security-oauth2-resource-server"));
		return (request) -> claims.claim(request, name);
	}

	private static InvalidRuleException absent(PlanSource source, String starter) {
		return new InvalidRuleException(PROPERTY, source.from(), "Spring Security is not on the classpath",
				"Add '" + starter + "', or choose another source.");
	}

	private record HeaderPlan(String name) implements PlanResolver {

		@Override
		public Optional<String> plan(RequestView request) {
			return request.header(this.name);
		}

		@Override
		public boolean needsPrincipal() {
			return false;
		}

	}

}
