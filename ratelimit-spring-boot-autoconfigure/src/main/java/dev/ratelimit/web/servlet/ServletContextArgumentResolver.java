package dev.ratelimit.web.servlet;

import dev.ratelimit.RateLimitContext;
import org.jspecify.annotations.Nullable;

import org.springframework.core.MethodParameter;
import org.springframework.web.bind.support.WebDataBinderFactory;
import org.springframework.web.context.request.NativeWebRequest;
import org.springframework.web.context.request.RequestAttributes;
import org.springframework.web.method.support.HandlerMethodArgumentResolver;
import org.springframework.web.method.support.ModelAndViewContainer;

/**
 * Internal: provides {@link RateLimitContext} to handler methods of Spring MVC.
 */
final class ServletContextArgumentResolver implements HandlerMethodArgumentResolver {

	@Override
	public boolean supportsParameter(MethodParameter parameter) {
		return parameter.getParameterType().equals(RateLimitContext.class);
	}

	@Override
	public Object resolveArgument(MethodParameter parameter, @Nullable ModelAndViewContainer container,
			NativeWebRequest request, @Nullable WebDataBinderFactory binders) {
		Object context = request.getAttribute(RateLimitContext.ATTRIBUTE, RequestAttributes.SCOPE_REQUEST);
		return (context != null) ? context : RateLimitContext.NONE;
	}

}
