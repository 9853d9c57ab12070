from recte.studies.faithfulness.graph_drawing import draw_graphs as draw_graphs
