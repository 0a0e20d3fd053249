package dev.ratelimit.sample;

import java.util.List;
import java.util.stream.IntStream;

import org.springframework.context.annotation.Profile;
import org.springframework.graphql.data.method.annotation.Argument;
import org.springframework.graphql.data.method.annotation.MutationMapping;
import org.springframework.graphql.data.method.annotation.QueryMapping;
import org.springframework.graphql.data.method.annotation.SchemaMapping;
import org.springframework.stereotype.Controller;

/**
 * The resolvers of the shop for GraphQL.
 */
@Controller
@Profile("graphql")
class ShopResolvers {

	private static final int MOST = 100;

	@QueryMapping
	Product product(@Argument String id) {
		return new Product(id, "Product " + id);
	}

	@QueryMapping
	List<Product> products(@Argument Integer first) {
		int count = (first != null) ? Math.max(0, Math.min(MOST, first)) : 10;
		return IntStream.rangeClosed(1, count).mapToObj((id) -> product(String.valueOf(id))).toList();
	}

	@MutationMapping
	Product order(@Argument String product) {
		return product(product);
	}

	@SchemaMapping(typeName = "Product")
	List<Product> related(Product product) {
		return List.of(product(product.id() + "a"), product(product.id() + "b"));
	}

	record Product(String id, String name) {
	}

}
