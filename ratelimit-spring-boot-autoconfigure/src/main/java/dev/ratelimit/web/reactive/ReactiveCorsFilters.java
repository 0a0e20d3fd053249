package dev.ratelimit.web.reactive;

import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

import reactor.core.publisher.Flux;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.security.web.server.SecurityWebFilterChain;
import org.springframework.util.ClassUtils;
import org.springframework.util.function.SingletonSupplier;
import org.springframework.web.cors.reactive.CorsConfigurationSource;
import org.springframework.web.cors.reactive.CorsWebFilter;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;

/**
 * Internal: finds the filters that process CORS of an exchange: that of Spring Security's
 * chain, and those that are beans.
 */
final class ReactiveCorsFilters implements Function<ServerWebExchange, Flux<CorsWebFilter>> {

	private static final boolean SECURITY = ClassUtils.isPresent(
			"org.springframework.security.web.server.SecurityWebFilterChain",
			ReactiveCorsFilters.class.getClassLoader());

	private final Supplier<List<CorsWebFilter>> registered;

	private final Function<ServerWebExchange, Flux<WebFilter>> secured;

	ReactiveCorsFilters(ListableBeanFactory beans) {
		this.registered = SingletonSupplier
			.of(() -> beans.getBeanProvider(CorsWebFilter.class).orderedStream().toList());
		this.secured = (SECURITY) ? new Chains(beans) : (exchange) -> Flux.empty();
	}

	@Override
	public Flux<CorsWebFilter> apply(ServerWebExchange exchange) {
		return this.secured.apply(exchange)
			.ofType(CorsWebFilter.class)
			.concatWith(Flux.defer(() -> Flux.fromIterable(this.registered.get())));
	}

	/**
	 * Loaded only if Spring Security is on the class path.
	 */
	private static final class Chains implements Function<ServerWebExchange, Flux<WebFilter>> {

		private final Supplier<List<SecurityWebFilterChain>> chains;

		private final Supplier<List<WebFilter>> standard;

		Chains(ListableBeanFactory beans) {
			this.chains = SingletonSupplier
				.of(() -> beans.getBeanProvider(SecurityWebFilterChain.class).orderedStream().toList());
			this.standard = SingletonSupplier.of(() -> standard(beans));
		}

		// Without a chain bean, Spring Security uses a default chain, whose CORS source
		// is a bean.
		private static List<WebFilter> standard(ListableBeanFactory beans) {
			return beans.getBeanProvider(CorsConfigurationSource.class)
				.orderedStream()
				.<WebFilter>map(CorsWebFilter::new)
				.toList();
		}

		@Override
		public Flux<WebFilter> apply(ServerWebExchange exchange) {
			if (this.chains.get().isEmpty()) {
				return Flux.fromIterable(this.standard.get());
			}
			return Flux.fromIterable(this.chains.get())
				.filterWhen((chain) -> chain.matches(exchange))
				.next()
				.flatMapMany(SecurityWebFilterChain::getWebFilters);
		}

	}

}
