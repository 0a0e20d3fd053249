package dev.ratelimit.autoconfigure;

import java.security.Principal;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.ratelimit.RequestView;
import dev.ratelimit.autoconfigure.RateLimitProperties.PlanSource;
import dev.ratelimit.base.Claims;
import dev.ratelimit.base.PrincipalClaims;
import org.junit.jupiter.api.Test;

import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.oauth2.core.ClaimAccessor;
import org.springframework.security.oauth2.core.DefaultOAuth2AuthenticatedPrincipal;

import static org.assertj.core.api.Assertions.assertThat;

class PrincipalClaimsTests {

	private static final ClaimAccessor TOKEN = () -> Map.of("tenant", "acme", "level", 7);

	private final Claims claims = PrincipalClaims.of(getClass().getClassLoader()).orElseThrow();

	@Test
	void tokensHaveClaims() {
		assertThat(claim(of(TOKEN), "tenant")).contains("acme");
		assertThat(claim(of(TOKEN), "level")).contains("7");
		assertThat(claim(of(TOKEN), "role")).isEmpty();
	}

	@Test
	void usersHaveAttributes() {
		Principal user = of(new DefaultOAuth2AuthenticatedPrincipal("alice", Map.of("tenant", "acme"), List.of()));
		assertThat(claim(user, "tenant")).contains("acme");
		assertThat(claim(user, "role")).isEmpty();
	}

	@Test
	void othersHaveNone() {
		assertThat(claim(of("alice"), "tenant")).isEmpty();
		assertThat(claim(() -> "alice", "tenant")).isEmpty();
		assertThat(this.claims.claim(new PrincipalView(Optional.empty()), "tenant")).isEmpty();
	}

	@Test
	void aPlanIsFoundInAClaim() {
		assertThat(PlanSources.resolver(new PlanSource("claim:tenant", false))
			.plan(new PrincipalView(Optional.of(of(TOKEN))))).contains("acme");
	}

	private Optional<String> claim(Principal principal, String name) {
		return this.claims.claim(new PrincipalView(Optional.of(principal)), name);
	}

	private static Principal of(Object principal) {
		return new TestingAuthenticationToken(principal, "");
	}

	private record PrincipalView(Optional<Principal> principal) implements RequestView {

		@Override
		public String method() {
			return "GET";
		}

		@Override
		public String path() {
			return "/";
		}

		@Override
		public String query() {
			return "";
		}

		@Override
		public List<String> headers(String name) {
			return List.of();
		}

		@Override
		public String remoteAddress() {
			return "";
		}

	}

}
