package dev.ratelimit.base;

import java.security.Principal;
import java.util.Optional;

import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.security.authentication.AuthenticationTrustResolver;
import org.springframework.security.authentication.AuthenticationTrustResolverImpl;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.ReactiveSecurityContextHolder;
import org.springframework.security.core.context.SecurityContext;
import org.springframework.security.core.context.SecurityContextHolder;

/**
 * Internal: the user that Spring Security has authenticated. If a subscription has no
 * security context, that of the thread applies.
 */
public final class SecurityUser implements CurrentUser {

	private final AuthenticationTrustResolver trust = new AuthenticationTrustResolverImpl();

	@Override
	public boolean isKnown() {
		return true;
	}

	@Override
	public Optional<String> find() {
		return name(SecurityContextHolder.getContext());
	}

	@Override
	public Mono<Optional<String>> findLater() {
		return ReactiveSecurityContextHolder.getContext().map(this::name).switchIfEmpty(Mono.fromSupplier(this::find));
	}

	private Optional<String> name(SecurityContext context) {
		return Optional.ofNullable(context.getAuthentication()).filter(this::isAuthenticated).map(Principal::getName);
	}

	private boolean isAuthenticated(@Nullable Authentication authentication) {
		return this.trust.isAuthenticated(authentication);
	}

}
