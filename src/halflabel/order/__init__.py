"""The order of the nodes: by id, whatever is listed first, then as products are fastest, and the way back."""

from halflabel.order.listing import NODE_VALUES, Listing, arrange, forget, sort_by_id, sorting

__all__ = ["NODE_VALUES", "Listing", "arrange", "forget", "sort_by_id", "sorting"]
