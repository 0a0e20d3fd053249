package dev.ratelimit.web.servlet;

import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletRequest;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.util.ClassUtils;
import org.springframework.util.function.SingletonSupplier;
import org.springframework.web.filter.CorsFilter;

/**
 * Internal: finds the filters that process CORS of a request: that of Spring Security's
 * chain, and those that the application registers for all requests.
 */
final class ServletCorsFilters implements Function<HttpServletRequest, List<CorsFilter>> {

	private static final boolean SECURITY = ClassUtils.isPresent("org.springframework.security.web.SecurityFilterChain",
			ServletCorsFilters.class.getClassLoader());

	private final Supplier<List<CorsFilter>> registered;

	private final Function<HttpServletRequest, Stream<Filter>> secured;

	ServletCorsFilters(ListableBeanFactory beans) {
		this.registered = SingletonSupplier.of(() -> registered(beans));
		this.secured = (SECURITY) ? new Chains(beans) : (request) -> Stream.empty();
	}

	@Override
	public List<CorsFilter> apply(HttpServletRequest request) {
		Stream<CorsFilter> ofSecurity = this.secured.apply(request)
			.filter(CorsFilter.class::isInstance)
			.map(CorsFilter.class::cast);
		return Stream.concat(ofSecurity, this.registered.get().stream()).toList();
	}

	// If a filter has registrations, they determine whether it applies to all requests.
	private static List<CorsFilter> registered(ListableBeanFactory beans) {
		Map<CorsFilter, Boolean> registrations = beans.getBeanProvider(FilterRegistrationBean.class)
			.orderedStream()
			.filter((registration) -> registration.getFilter() instanceof CorsFilter)
			.collect(Collectors.toMap((registration) -> (CorsFilter) registration.getFilter(),
					ServletCorsFilters::isForAll, (one, other) -> one || other));
		Stream<CorsFilter> plain = beans.getBeanProvider(CorsFilter.class).orderedStream();
		return Stream.concat(registrations.keySet().stream(), plain)
			.distinct()
			.filter((filter) -> registrations.getOrDefault(filter, true))
			.toList();
	}

	private static boolean isForAll(FilterRegistrationBean<?> registration) {
		boolean narrowed = !registration.getServletNames().isEmpty()
				|| !registration.getServletRegistrationBeans().isEmpty();
		return registration.isEnabled() && !narrowed
				&& (registration.getUrlPatterns().isEmpty() || registration.getUrlPatterns().contains("/*"));
	}

	/**
	 * Loaded only if Spring Security is on the class path.
	 */
	private static final class Chains implements Function<HttpServletRequest, Stream<Filter>> {

		private final Supplier<List<SecurityFilterChain>> chains;

		Chains(ListableBeanFactory beans) {
			this.chains = SingletonSupplier
				.of(() -> beans.getBeanProvider(SecurityFilterChain.class).orderedStream().toList());
		}

		@Override
		public Stream<Filter> apply(HttpServletRequest request) {
			return this.chains.get()
				.stream()
				.filter((chain) -> chain.matches(request))
				.findFirst()
				.stream()
				.flatMap((chain) -> chain.getFilters().stream());
		}

	}

}
