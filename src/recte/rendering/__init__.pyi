from recte.rendering.graph_drawing import draw_graphs as draw_graphs
